# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on plants at one end of a frame as kernels take it: a record or array for each law, per body."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats2, Ints
from ..guides.pull_reader import joined_pulls, pulls_are_on, pulls_on
from ..guides.pulls import Pulls
from ..guides.tie_reader import NO_TIES, are_on, joined_ties, ties_on
from ..guides.ties import Ties
from ..joints.reference import NO_PATH, NOT_FOLLOWED
from ..joints.stretch import NO_WAY, NOT_STRETCHED, is_as_drawn, joined_ways
from ..machine.jit import inlined
from .force_field import FIELD_COLUMNS

#: Columns of what all bodies of a plant share: gravity (3) m/s2, stiffness scale, air density (kg/m3).
GRAVITY, STIFFNESS_SCALE, AIR_DENSITY, SHARED = 0, 3, 4, 5

#: Where no body is under a given load, no panel in air, no body in a field, and springs are relaxed as drawn.
NOT_APPLIED, NO_AIR, NO_PLATES, NO_FIELD, AS_DRAWN = (np.zeros((0, k)) for k in (7, 3, 4, FIELD_COLUMNS, 4))


class Loads(NamedTuple):
    """A Sample as the solver takes it, of one plant or of several side by side with n bodies and p panels.

    shared (plants, 5): gravity, stiffness scale, air density, which is 0 without air; pulls
    The others have a row for each or, without any such load, none:
    applied (n, 7): force (N) at the centre of mass and torque (N m), world axes, twist (N m) about the body's y axis
    air (p, 3) m/s at the panels; plate_air (p, 4) of plates: how much faster it is per metre of their chords (3) 1/s,
        and how much they flutter
    field (2 n, 24) a force field as force_field.py reads it; pose (n, 4): quaternions of the joints; follow (n, 4) how
    they follow it, and path (n, 15) where it has got to, see joints/reference.py
    lengths (m, 5) of the rods, and way (m, 21) where they have got to, see joints/stretch.py; ties between bodies
    """

    shared: Floats2
    pulls: Pulls
    applied: Floats2 = NOT_APPLIED
    air: Floats2 = NO_AIR
    field: Floats2 = NO_FIELD
    pose: Floats2 = AS_DRAWN
    follow: Floats2 = NOT_FOLLOWED
    path: Floats2 = NO_PATH
    lengths: Floats2 = NOT_STRETCHED
    way: Floats2 = NO_WAY
    ties: Ties = NO_TIES
    plate_air: Floats2 = NO_PLATES

    @property
    def is_posed(self) -> bool:
        """Whether the springs' pose is another than as drawn."""
        return len(self.pose) > 0

    def pose_of_joints(self, n: int) -> Floats:
        """(n, 4) quaternions of all joints."""
        if self.is_posed:
            return self.pose
        drawn = np.zeros((n, 4))
        drawn[:, 0] = 1.0
        return drawn

    def on(self, plants: slice, bodies: slice, panels: slice, rods: slice) -> "Loads":
        """What acts on these plants with their bodies, panels and rods."""
        lengths, way = self.lengths[rods], self.way[rods]
        stretched = not is_as_drawn(lengths, way)
        applied, pose, follow = self.applied[bodies], self.pose[bodies], self.follow[bodies]
        follows = follow.any()
        return Loads(
            self.shared[plants], pulls_on(self.pulls, bodies), applied if applied.any() else NOT_APPLIED,
            self.air[panels], self.field[2 * bodies.start : 2 * bodies.stop],
            pose if pose[:, 1:].any() else AS_DRAWN,
            follow if follows else NOT_FOLLOWED, self.path[bodies] if follows else NO_PATH,
            lengths if stretched else NOT_STRETCHED, way if stretched else NO_WAY, ties_on(self.ties, bodies),
            self.plate_air[panels],
        )  # fmt: skip

    def hold_as(self, own: "Loads", bodies: slice) -> None:
        """Let what holds these bodies have held with what it did in own, which is on them."""
        self.pulls.held[pulls_are_on(self.pulls, bodies)] = own.pulls.held
        self.ties.held[are_on(self.ties, bodies)] = own.ties.held


def filled(rows: Floats, n: int) -> Floats:
    """The rows, or n of zeros where there are none."""
    return rows if len(rows) else np.zeros((n, rows.shape[1]))


def _joined(parts: Sequence[Floats], counts: Ints) -> Floats:
    if not any(len(one) for one in parts):
        return parts[0]
    return np.concatenate([filled(one, n) for one, n in zip(parts, counts.tolist(), strict=True)])


def joined_loads(parts: Sequence[Loads], first_body: Ints, first_panel: Ints, first_rod: Ints) -> Loads:
    """What acts on plants side by side, of which these are groups in a row. first_body, first_panel, first_rod
    (groups + 1,): those of group k are first[k] to first[k + 1]."""
    bodies, panels, rods = np.diff(first_body), np.diff(first_panel), np.diff(first_rod)
    pose = AS_DRAWN
    if any(one.is_posed for one in parts):
        pose = np.concatenate([one.pose_of_joints(n) for one, n in zip(parts, bodies.tolist(), strict=True)])
    return Loads(
        np.concatenate([one.shared for one in parts]), joined_pulls([one.pulls for one in parts], first_body[:-1]),
        _joined([one.applied for one in parts], bodies), _joined([one.air for one in parts], panels),
        _joined([one.field for one in parts], 2 * bodies), pose,
        _joined([one.follow for one in parts], bodies), _joined([one.path for one in parts], bodies),
        *joined_ways([(one.lengths, one.way) for one in parts], rods),
        joined_ties([one.ties for one in parts], first_body[:-1]), _joined([one.plate_air for one in parts], panels),
    )  # fmt: skip


@inlined
def gravity_of(shared):
    """Gravity (m/s2) of what the bodies of one plant share, (5,)."""
    return (shared[0], shared[1], shared[2])
