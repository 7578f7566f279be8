# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of rods and blades that the air acts on: two points of quadrature on every piece of rod.

The points are those of the Gauss rule with the piece's width (a blade's is uniform) as weight, so that force and moment
of a piece that turns about its base, which grow with the second and third power of the distance, are right. On uniform
pieces of layout gauss2 they are the joints, where a panel's velocity is its joint's.
"""

import numpy as np

from ..base.arrays import Floats, Ints
from ..cross_sections.tapered import pair_for_width
from ..math.rotations import conjugate, multiply, rotate
from .model import Panels
from .pieces import Pieces
from .rods import Rods

#: A panel closer to a joint than this share of its piece is put on it.
_ON_JOINT = 1e-9


def panels_of(
    rods: Rods, frame: Floats, pieces: Pieces, at: Floats, carrier: Ints, position: Floats, orientation: Floats
) -> Panels:
    """Panels of all pieces but those on the still base.

    frame (m, 4): the rods'; at (p, k) m: joints from the pieces' bases, beyond the tip where there is none; carrier
    (p, k + 1): bodies below the first joint and above each; position (n, 3), orientation (n, 4): the bodies'.
    """
    radius = np.stack([pieces.radius_base, pieces.radius_tip])
    rod = pieces.rod
    share = pieces.length / rods.array("length")[rod]
    side = (pieces.radius_base + pieces.radius_tip) * pieces.length  # diameter times length
    cylinder = (rods.array("drag_along")[rod] * np.pi * side, rods.array("drag_across")[rod] * side)
    area = rods.array("blade_area")[rod] * share
    blade = (rods.array("blade_drag_normal")[rod] * area, rods.array("blade_drag_along")[rod] * area)
    rises, rises_along = (rods.array(name)[rod] * area for name in ("blade_lift", "blade_lift_along"))
    hollow, none = rods.array("blade_cup")[rod] * blade[0], np.zeros_like(area)
    wide = rods.array("blade_area")[rod] / rods.array("length")[rod]
    carries, moves = rods.array("blade_air_mass")[rod] * area * wide, rods.array("blade_shift")[rod]
    rigid, presses = rods.array("blade_rigidity")[rod], rods.array("blade_drag_normal")[rod] * (0.5 * wide) ** 3
    rolled = np.divide(presses, 16.0 * rigid, out=np.zeros_like(rigid), where=rigid > 0.0)
    even = np.ones_like(share)
    parts = []
    for rule, (along, across), towards, (plate, plate_along, air, cup, shift, rolls) in (
        (pair_for_width(*radius), cylinder, (0.0, 1.0, 0.0), (none, none, none, none, none, none)),
        (pair_for_width(even, even), blade, (0.0, 0.0, 1.0), (rises, rises_along, carries, hollow, moves, rolled)),
    ):
        which = np.flatnonzero((along > 0.0) | (across > 0.0) | (air > 0.0))
        y, weight = (column[which] for column in rule)
        parts.append((
            np.repeat(which, 2), (y * pieces.length[which, None]).ravel(),
            (weight * along[which, None]).ravel(), (weight * across[which, None]).ravel(),
            np.broadcast_to(np.array(towards), (2 * len(which), 3)), (weight * plate[which, None]).ravel(),
            (weight * plate_along[which, None]).ravel(), np.repeat(wide[which], 2),
            (weight * air[which, None]).ravel(), (weight * cup[which, None]).ravel(), np.repeat(shift[which], 2),
            np.repeat(rolls[which], 2),
        ))  # fmt: skip
    piece, y, along, across, axis, plate, plate_along, chord, air, cup, shift, rolls = map(
        np.concatenate, zip(*parts, strict=True)
    )
    near = _ON_JOINT * pieces.length[piece]
    above = (at[piece] <= (y + near)[:, None]).sum(axis=1)  # joints below the panel
    body = carrier[piece, above]
    order = np.flatnonzero(body >= 0)
    order = order[np.argsort(body[order], kind="stable")]
    piece, y, body, above, near = (column[order] for column in (piece, y, body, above, near))
    start = np.searchsorted(body, np.arange(len(position) + 1))

    own = above > 0
    from_joint = y - at[piece, np.maximum(above - 1, 0)]
    from_joint = np.where(np.abs(from_joint) <= near, 0.0, from_joint)
    on_rod = np.zeros((len(piece), 3))
    on_rod[:, 1] = pieces.start[piece] + y
    to_body = conjugate(orientation[body])
    at_base = rods.array("head")[pieces.rod[piece]] + rotate(frame[pieces.rod[piece]], on_rod) - position[body]
    center = np.where(own[:, None], from_joint[:, None] * np.array([0.0, 1.0, 0.0]), rotate(to_body, at_base))
    across_rod = chord[order, None] * np.array([1.0, 0.0, 0.0])

    def in_bodies(directions: Floats) -> Floats:
        turned = rotate(multiply(to_body, frame[pieces.rod[piece]]), directions)
        return np.where(own[:, None], directions, turned)

    return Panels(
        start.astype(np.int64), np.ascontiguousarray(center), in_bodies(axis[order]), along[order], across[order],
        plate[order], plate_along[order], np.ascontiguousarray(in_bodies(across_rod)), pieces.rod[piece], cup[order],
        air[order], shift[order], rolls[order],
    )  # fmt: skip
