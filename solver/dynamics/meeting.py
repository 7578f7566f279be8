# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that find themselves among obstacles: what overlaps is left alone until it parts."""

from ..base.arrays import Bools1, Floats2
from ..contact.finding import find, leave_alone
from ..contact.obstacles import Obstacles, obstacles_at
from ..contact.touch import Touch, touching_of
from ..data.rows import Rows
from ..forces.loads import gravity_of
from ..joints.springs import springs
from ..machine.jit import kernel
from ..world.base_motion import MovingBase, base_of
from .kinematics import at_present, kinematics


@kernel
def meet(rows: Rows, bases: MovingBase, shared: Floats2, obstacles: Obstacles, touch: Touch, new: Bools1) -> None:
    """Leave alone what overlaps new (c,) obstacles where they and all plants are at a frame's beginning."""
    for p in range(len(rows.first_body) - 1):
        data = rows.data[rows.first_block[p] : rows.first_block[p + 1]]
        parent = rows.parent[rows.first_body[p] : rows.first_body[p + 1]]
        touching = touching_of(touch, p, obstacles)
        at_present(data)
        springs(data, 1.0, 0.0, 0.0)
        kinematics(data, parent, base_of(bases, p).now, gravity_of(shared[p]))
        obstacles_at(obstacles, touching.now, 0.0)
        find(data, touching, 0.0)
        leave_alone(touching, new)
