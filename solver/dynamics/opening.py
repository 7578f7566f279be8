# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening joints: those that are bent too much, and those that are cut."""

from ..base.arrays import Floats2, Ints1
from ..data import columns as col
from ..data.rows import Rows
from ..forces.loads import STIFFNESS_SCALE
from ..joints.loose import Loose, let_go, loose_of
from ..joints.springs import springs
from ..joints.strength import crack, most_strained
from ..machine.jit import inlined, kernel
from ..math.vectors import ZERO
from ..world.base_motion import MovingBase, standing_of
from .kinematics import at_present, kinematics
from .multistep import forget_past

#: What has become of a joint.
WHOLE, HANGS, OFF = 0, 1, 2


@inlined
def _look(data, parent, stands, loose):
    """Let bodies' columns be of the present."""
    at_present(data, loose)
    springs(data, 1.0)
    kinematics(data, parent, stands, loose, ZERO)


@inlined
def breaks_joint(data, parent, stands, world):
    """Whether the joint that is bent most, for what it bears, breaks: one in a step, as it may spare the others."""
    at_present(data, world.loose)
    joint, strain = most_strained(data, len(parent), world.now[STIFFNESS_SCALE])
    if not strain > 1.0:
        return False
    if data[joint >> 3, col.FIBRES + (joint & 7)] > 0.0:
        crack(data, joint)
        world.loose.cracked[joint] = HANGS
        return True
    _look(data, parent, stands, world.loose)
    return let_go(data, parent, stands, world.loose, joint)


@kernel
def cut_joints(bodies: Ints1, rows: Rows, bases: MovingBase, all_loose: Loose, last_steps: Floats2) -> None:
    """Let nothing hold these bodies (k,), counted over all plants, any more."""
    for p in range(len(rows.first_body) - 1):
        first, last = rows.first_body[p], rows.first_body[p + 1]
        data, parent = rows.data[rows.first_block[p] : rows.first_block[p + 1]], rows.parent[first:last]
        loose, stands = loose_of(all_loose, p, rows.first_body), standing_of(bases, rows, p)
        for i in bodies:
            if first <= i < last:
                _look(data, parent, stands, loose)
                let_go(data, parent, stands, loose, i - first)
                forget_past(data, loose, last_steps[p])
