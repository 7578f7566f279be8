# SPDX-License-Identifier: GPL-3.0-or-later
"""How stiff a joint is beyond its limits."""

import numpy as np

from ..base.arrays import Floats, Ints
from ..base.constants import GRAVITY

#: Stiffness beyond a limit over the moment the joint must stop, 1/rad: that moment goes 0.8 degrees too far.
HARDNESS = 100.0


def limit_stiffness(parent: Ints, offset: Floats, mass: Floats, com: Floats, stiffness: Floats) -> Floats:
    """(n,) N m/rad: HARDNESS times the larger of the joint's bending stiffness and the weight above at full lever.

    The latter is the moment of the weight of the body and all it carries, were they in a straight horizontal line.
    """
    weight = (GRAVITY * mass).tolist()
    moment = (GRAVITY * mass * np.linalg.norm(com, axis=1)).tolist()
    step = np.linalg.norm(offset, axis=1).tolist()
    up = parent.tolist()
    for i in range(len(up) - 1, -1, -1):
        if up[i] >= 0:
            weight[up[i]] += weight[i]
            moment[up[i]] += moment[i] + step[i] * weight[i]
    result: Floats = HARDNESS * np.maximum(np.array(moment), np.maximum(stiffness[:, 0], stiffness[:, 2]))
    return result
