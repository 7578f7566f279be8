# SPDX-License-Identifier: GPL-3.0-or-later
"""An elastic fibre across a steady flow that pushes it by its normal part alone, and the same as rods.

The fibre is held in its middle; of each half, of length L, by the angle theta from the middle's, with k = density / 2
times drag coefficient times diameter times U^2 the force per length, square to the fibre, is k cos(theta)^2, and
Kirchhoff's rod gives (Alben, Shelley and Zhang 2002, Drag reduction through self-similar bending of a flexible body,
Nature 420, 479-481, whose flow gives the pressure instead)

    E I (theta''' + theta'^3 / 2) = k cos(theta)^2,  theta(0) = 0,  theta'(L) = theta''(L) = 0

and the half's drag is -E I theta''(0). Shares no code with the solver but for where its panels are.
"""

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from solver import AIR_DENSITY, Rods, Sample, Simulation, discretize
from solver.math.rotations import logarithm, rotate
from tests.oracles.models import ALONG_Z

DOWNWARDS = (0.5**0.5, -(0.5**0.5), 0.0, 0.0)
RADIUS, YOUNG, DRAG = 5e-4, 1e7, 1.2
BENDING = YOUNG * np.pi * RADIUS**4 / 4.0  # N m2
#: Lengths of a half over (E I / k)^(1/3) that are two decades of speed: it goes with speed^(2/3).
BENT = np.geomspace(8.0, 8.0 * 100.0 ** (2.0 / 3.0), 9)


def _half(tip_angle: float) -> tuple[float, float]:
    """Length over (E I / k)^(1/3) and drag over k^(2/3) (E I)^(1/3) of half a fibre whose tip makes this angle (rad)
    with the flow: integrated from the tip until it stands across."""

    def slope(_, y):
        return [y[1], y[2], np.sin(y[0]) ** 2 - 0.5 * y[1] ** 3]

    def across(_, y):
        return y[0] - 0.5 * np.pi

    across.terminal = True
    found = solve_ivp(slope, (0.0, 1e4), [tip_angle, 0.0, 0.0], "DOP853", events=across, rtol=1e-10, atol=1e-20)
    return float(found.t_events[0][0]), float(found.y_events[0][0, 2])


def exact_drag(length: float) -> float:
    """Drag of a half over k^(2/3) (E I)^(1/3), of this length over (E I / k)^(1/3)."""

    def too_long(angle):
        return np.log(_half(np.exp(angle))[0] / length)

    return _half(np.exp(brentq(too_long, -20.0, np.log(0.5 * np.pi - 1e-4), xtol=1e-10)))[1]


def speed_of(length: float) -> float:
    """m/s at which a half of 1 m is so long over (E I / k)^(1/3)."""
    return float(np.sqrt(length**3 * BENDING / (0.5 * AIR_DENSITY * DRAG * 2.0 * RADIUS)))


def fibre(rods: int, first: float) -> Rods:
    """Two halves of 1 m along z, each of so many rods, the first of this length (m), each longer than the one before by
    the same factor."""
    growth = brentq(lambda q: first * (q**rods - 1.0) / (q - 1.0) - 1.0, 1.0001, 10.0)
    length = first * growth ** np.arange(rods)
    length /= length.sum()
    at = np.concatenate([[0.0], np.cumsum(length)[:-1]])
    place, own = np.zeros((2 * rods, 3)), np.arange(rods)
    place[:, 2] = np.concatenate([at, -at])
    return Rods(
        parent=np.concatenate([own - 1, np.where(own > 0, rods + own - 1, -1)]), head=place,
        frame=[ALONG_Z] * rods + [DOWNWARDS] * rods, length=np.tile(length, 2), radius_base=RADIUS, radius_tip=RADIUS,
        young=YOUNG, density=1000.0, drag_across=DRAG, drag_along=0.0,
    )  # fmt: skip


def drag_in(plant: Simulation, wind: np.ndarray, area: float) -> np.ndarray:
    """(3,) N on a plant at rest in a wind (m/s), of panels as its model has them. area (m2): drag coefficient times
    that of all rods; what no panel has of it is on the base, square to the wind."""
    panels = plant.model.panels
    body = np.repeat(np.arange(plant.model.body_count), np.diff(panels.start))
    axis = rotate(plant.placed().orientation[body], panels.axis)
    along = axis @ wind
    across = wind - along[:, None] * axis
    parts = panels.across[:, None] * np.linalg.norm(across, axis=1)[:, None] * across
    parts += (panels.along * np.abs(along) * along)[:, None] * axis
    on_base = (area - panels.across.sum()) * np.linalg.norm(wind) * wind
    return 0.5 * AIR_DENSITY * (parts.sum(axis=0) + on_base)


def drags(rods: int, first: float, layout: str, disturbance: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Speeds (m/s) and the fibre's drags (N), at rest in the wind, each found from the one before."""
    plant, start, found = Simulation(discretize(fibre(rods, first), layout)), None, []
    area = DRAG * 2.0 * RADIUS * 2.0
    for length in (1.0, 2.0, 4.0, *BENT):
        wind = np.array([speed_of(length) * (1.0 + disturbance), 0.0, 0.0])
        rest = plant.start(Sample(gravity=(0.0, 0.0, 0.0), wind=wind), "settled", initial=start)
        force = drag_in(plant, wind, area)
        if not rest.stable or rest.residual > 1e-8 or np.abs(force[1:]).max() > 1e-9 * force[0]:
            raise AssertionError(f"the fibre does not rest across {wind[0]:g} m/s: {rest}")
        start = logarithm(plant.state.q)
        found.append((wind[0], force[0]))
    speed, drag = np.array(found[3:]).T
    return speed, drag


@cache
def exact_drags() -> np.ndarray:
    """N, of both halves, at the speeds of drags."""
    return np.array([2.0 * exact_drag(length) * BENDING * length**2 for length in BENT])
