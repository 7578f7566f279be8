# SPDX-License-Identifier: GPL-3.0-or-later
"""What is near each other where plants are at a frame's beginning."""

from ...base.arrays import Floats1, Ints1
from ...contact.obstacles import Obstacles
from ...contact.pair_points import find_pair_points, leave_pairs_alone
from ...contact.pairs import Pairs, look_for_pairs, pairs_of
from ...contact.touch import Touch, touching_of
from ...data.rows import Rows
from ...joints.loose import Loose, loose_of
from ...joints.springs import springs
from ...machine.jit import kernel
from ...math.vectors import ZERO
from ...world.base_motion import MovingBase, standing_of
from ..kinematics import at_present, kinematics


@kernel
def look(
    rows: Rows, bases: MovingBase, all_loose: Loose, obstacles: Obstacles, touch: Touch, all_pairs: Pairs,
    ahead: Floats1, begins: bool, found: Ints1,
) -> None:  # fmt: skip
    """Look for what is near where plants are; begins: and leave alone what overlaps."""
    for p in range(len(rows.first_body) - 1):
        data = rows.data[rows.first_block[p] : rows.first_block[p + 1]]
        parent = rows.parent[rows.first_body[p] : rows.first_body[p + 1]]
        loose, pairs = loose_of(all_loose, p, rows.first_body), pairs_of(all_pairs, p)
        shapes = touching_of(touch, p, obstacles).shapes
        at_present(data, loose)
        springs(data, 1.0)
        kinematics(data, parent, standing_of(bases, rows, p), loose, ZERO)
        found[p] = look_for_pairs(data, shapes, pairs, ahead[p])
        if begins:
            find_pair_points(data, shapes, pairs, 0.0)
            leave_pairs_alone(shapes, pairs)
