# SPDX-License-Identifier: GPL-3.0-or-later
"""A stiffness with which an armature carries its own weight, for one whose material nobody has chosen."""

import numpy as np

from ....solver import Model

#: Drawn level, the longest way from a root would sag by this share of itself; beyond the first share it is stiffened so
#: that it sags by the second.
_TOO_SOFT, _SAG = 0.5, 0.12

_GRAVITY = 9.81  # m/s2


def level_sag(model: Model) -> float:
    """By which share of its length the longest way from a root would sag under the plant's weight, were all drawn out
    level: small turns of all joints on the way, each by the weight beyond it at full lever."""
    bodies = model.bodies
    parent, mass = bodies.parent.tolist(), bodies.mass.tolist()
    step, centre = np.linalg.norm(bodies.offset, axis=1).tolist(), np.linalg.norm(bodies.com, axis=1).tolist()
    soft = np.maximum(np.minimum(bodies.stiffness[:, 0], bodies.stiffness[:, 2]), 1e-300).tolist()
    weight = [_GRAVITY * m for m in mass]
    moment = [w * c for w, c in zip(weight, centre, strict=True)]
    reach = [2.0 * c for c in centre]  # from the joint to the farthest tip beyond it
    sag = [0.0] * len(parent)  # of that tip
    below = (model.stub * model.length)[model.body_rod].tolist()  # what of a root's rod is rigid
    worst = 0.0
    for i in range(len(parent) - 1, -1, -1):
        sag[i] += moment[i] / soft[i] * reach[i]
        above = parent[i]
        if above < 0:
            worst = max(worst, sag[i] / (reach[i] + below[i]))
            continue
        weight[above] += weight[i]
        moment[above] += moment[i] + step[i] * weight[i]
        if step[i] + reach[i] > reach[above]:
            reach[above], sag[above] = step[i] + reach[i], sag[i]
    return worst


def natural_young(model: Model, young: float) -> float:
    """Young's modulus, in the unit of the one that the model was made with, that keeps the plant up; the same where it
    does already."""
    sag = level_sag(model)
    return young if sag <= _TOO_SOFT else young * sag / _SAG
