# SPDX-License-Identifier: GPL-3.0-or-later
"""Bending stress of rods: what the moments of their joints' springs do to the outermost fibres.

It is told at the joints. Between them, and from the last one to where a rod is held, it goes on as the moment does.
"""

import numpy as np

from .base.arrays import Floats
from .cross_sections.tapered import section_modulus
from .joints.strength import fill_bending_moments
from .model.model import Bodies, Model
from .model.rods import Rods


def bending_moments(bodies: Bodies, turn: Floats, stiffness_scale: Floats | float) -> Floats:
    """(n,) N m: what the springs and limits of joints, without their damping, bend the rods with, of round rods with
    the same largest stress.

    turn (n, 4): quaternions of the joints' rotations from where their springs are relaxed; stiffness_scale: one number
    or (n, 1).
    """
    moments = np.empty(len(turn))
    stiffness = np.ascontiguousarray(stiffness_scale * bodies.stiffness)
    fill_bending_moments(
        turn, stiffness, bodies.bend_limit, bodies.twist_limit, bodies.limit_stiffness, bodies.modulus, moments
    )
    return moments


def section_moduli(rods: Rods, model: Model) -> Floats:
    """(n,) m3: I / r of the rods at the joints of the model that was made from them, were they round, with the radius
    of the place."""
    rod = model.body_rod
    base, tip, hollow = (rods.array(name)[rod] for name in ("radius_base", "radius_tip", "hollow"))
    return section_modulus(base + (tip - base) * model.body_at, hollow)


def rod_stresses(model: Model, moments: Floats, moduli: Floats) -> Floats:
    """(m,) Pa: largest bending stress at the joints of every rod, NaN for a welded rod, which has none.

    moments (n,) N m, moduli (n,) m3: see above.
    """
    stress = np.full(model.rod_count, np.nan)
    np.fmax.at(stress, model.body_rod, moments / moduli)
    return stress
