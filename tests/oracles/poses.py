# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a model's bodies are for given joint rotations: plain kinematics, body by body."""

import numpy as np

from solver.math.rotations import multiply, rotate

STILL = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


def poses(model, q=None, base=STILL):
    """Orientations (n, 4) and positions (n, 3) of the inboard joints, as drawn or with joint rotations q (n, 4)."""
    bodies = model.bodies
    orientation, position = np.zeros((model.body_count, 4)), np.zeros((model.body_count, 3))
    for i, k in enumerate(bodies.parent):
        at, turned = base if k < 0 else (position[k], orientation[k])
        position[i] = at + rotate(turned, bodies.offset[i])
        orientation[i] = multiply(turned, bodies.rest[i])
        if q is not None:
            orientation[i] = multiply(orientation[i], q[i])
    return orientation, position
