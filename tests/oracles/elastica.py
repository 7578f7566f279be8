# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact elastica of a horizontal cantilever, by shooting from its tip. Shares no code with the solver."""

from functools import cache

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

#: Loads over E I / L^2 (force at the tip) and over E I / L^3 (weight per length): (alpha, beta) of all cases.
TIP_LOADS, WEIGHTS = (1.0, 2.0, 5.0, 10.0), (1.0, 5.0, 10.0, 20.0)
CASES = [(alpha, 0.0) for alpha in TIP_LOADS] + [(0.0, beta) for beta in WEIGHTS]
#: omega sqrt(rho A L^4 / E I) of a uniform cantilever.
FREQUENCIES = np.array([3.51602, 22.0345, 61.6972])


@cache
def tip(alpha: float, beta: float, thin: float = 1.0) -> tuple[float, float, float]:
    """Where the tip of a cantilever of length 1 is, (along, down), and its slope in rad.

    E I is 1 at the base; the radius falls evenly to the share `thin` at the tip, the weight with its square.
    """

    def radius(s):
        return 1.0 - (1.0 - thin) * s

    def weight_above(s):
        return beta * quad(lambda t: radius(t) ** 2, s, 1.0)[0] if thin != 1.0 else beta * (1.0 - s)

    def slope(t, y):  # t from the tip down; y = (angle, curvature times E I, along, down)
        s = 1.0 - t
        return [
            -y[1] / radius(s) ** 4, (alpha + weight_above(s)) * np.cos(y[0]), np.cos(y[0]), np.sin(y[0]),
        ]  # fmt: skip

    def shoot(angle):
        return solve_ivp(slope, (0.0, 1.0), [angle, 0.0, 0.0, 0.0], "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]

    angle = brentq(lambda a: shoot(a)[0], 1e-6, 0.5 * np.pi - 1e-9, xtol=1e-13)
    _, _, along, down = shoot(angle)
    return along, down, angle
