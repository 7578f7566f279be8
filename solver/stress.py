# SPDX-License-Identifier: GPL-3.0-or-later
"""Bending stress of rods: what the moments of their joints' springs do to the outermost fibres.

It is told at the joints. Between them, and from the last one to where a rod is held, it goes on as the moment does.
"""

import numpy as np

from .base.arrays import Floats
from .joints.limits import ONSET
from .math.rotations import logarithm
from .model.model import Bodies, Model
from .model.rods import Rods


def bending_moments(bodies: Bodies, turn: Floats, stiffness_scale: Floats | float) -> Floats:
    """(n,) N m: what the springs and limits of joints, without their damping, bend the rods with.

    turn (n, 4): quaternions of the joints' rotations from where their springs are relaxed; stiffness_scale: one number
    or (n, 1). The moment is that across the rod's axis halfway through the turn, as this axis is where the joint stands
    for a bent piece.
    """
    phi = logarithm(turn)
    bend = np.hypot(phi[:, 0], phi[:, 2])
    moment = stiffness_scale * bodies.stiffness * phi
    outwards = bodies.limit_stiffness * _beyond(bend - bodies.bend_limit) / np.maximum(bend, 1e-300)
    moment[:, (0, 2)] += outwards[:, None] * phi[:, (0, 2)]
    about_y = bodies.limit_stiffness * _beyond(np.abs(phi[:, 1]) - bodies.twist_limit)
    moment[:, 1] += np.copysign(about_y, phi[:, 1])
    # The energy's derivative by the rotation vector is the moment along that vector; across it the moment is more.
    angle = np.linalg.norm(phi, axis=1)[:, None]
    axis = phi / np.maximum(angle, 1e-300)
    along = (moment * axis).sum(axis=1, keepdims=True) * axis
    moment = along + (moment - along) / np.sinc(angle / (2.0 * np.pi))
    return np.hypot(moment[:, 0], moment[:, 2])


def _beyond(over: Floats) -> Floats:
    """(n,) rad: moment over stiffness well beyond a limit, of joints that are so far (rad) beyond it."""
    soft = np.clip(over, 0.0, ONSET)
    return soft * soft * (0.5 / ONSET) + np.maximum(over - ONSET, 0.0)


def section_moduli(rods: Rods, model: Model) -> Floats:
    """(n,) m3: I / r of the rods at the joints of the model that was made from them; I = pi r^4 (1 - hollow^4) / 4 with
    the radius of the place."""
    rod = model.body_rod
    base, tip, hollow = (rods.array(name)[rod] for name in ("radius_base", "radius_tip", "hollow"))
    radius = base + (tip - base) * model.body_at
    result: Floats = 0.25 * np.pi * radius**3 * (1.0 - hollow**4)
    return result


def rod_stresses(model: Model, moments: Floats, moduli: Floats) -> Floats:
    """(m,) Pa: largest bending stress at the joints of every rod, NaN for a welded rod, which has none.

    moments (n,) N m, moduli (n,) m3: see above.
    """
    stress = np.full(model.rod_count, np.nan)
    np.fmax.at(stress, model.body_rod, moments / moduli)
    return stress
