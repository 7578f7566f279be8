# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on plants at one end of a frame as kernels take it: a record or array for each law, per body."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats2, Ints
from ..machine.jit import inlined
from .force_field import FIELD_COLUMNS
from .pulls import Pulls, joined_pulls, no_pulls, pulls_on

#: Columns of what all bodies of a plant share: gravity (3) m/s2, stiffness scale, air density (kg/m3).
GRAVITY, STIFFNESS_SCALE, AIR_DENSITY, SHARED = 0, 3, 4, 5

#: Where there is no force field, and where springs are relaxed as drawn.
NO_FIELD: Floats = np.zeros((0, FIELD_COLUMNS))
AS_DRAWN: Floats = np.zeros((0, 4))


class Loads(NamedTuple):
    """A Sample as the solver takes it, of one plant or of several side by side with n bodies and p panels.

    shared (plants, 5): gravity, stiffness scale, air density, which is 0 without air
    applied (n, 7): force (N) at the centre of mass and torque (N m), world axes, twist (N m) about the body's y axis
    air (p, 3) m/s at the panels; pulls; field (2 n, 24) a force field as force_field.py reads it, or (0, 24)
    pose (n, 4): quaternions of the joints, or (0, 4) as drawn
    """

    shared: Floats2
    applied: Floats2
    air: Floats2
    pulls: Pulls
    field: Floats2 = NO_FIELD
    pose: Floats2 = AS_DRAWN

    @property
    def is_applied(self) -> bool:
        """Whether there is any force, torque or twist."""
        return bool(self.applied.any())

    @property
    def is_in_air(self) -> bool:
        """Whether any plant is."""
        return bool(self.shared[:, AIR_DENSITY].any())

    @property
    def is_posed(self) -> bool:
        """Whether the springs' pose is another than as drawn."""
        return len(self.pose) > 0

    def pose_of_joints(self) -> Floats:
        """(n, 4) quaternions of all joints."""
        if self.is_posed:
            return self.pose
        drawn = np.zeros((len(self.applied), 4))
        drawn[:, 0] = 1.0
        return drawn

    def on(self, plants: slice, bodies: slice, panels: slice) -> "Loads":
        """What acts on these plants with their bodies and panels."""
        pose = self.pose[bodies]
        return Loads(
            self.shared[plants], self.applied[bodies], self.air[panels], pulls_on(self.pulls, bodies),
            self.field[2 * bodies.start : 2 * bodies.stop], pose if pose[:, 1:].any() else AS_DRAWN,
        )  # fmt: skip


def no_loads(plants: int, bodies: int, panels: int) -> Loads:
    """Nothing, not even gravity."""
    return Loads(np.zeros((plants, SHARED)), np.zeros((bodies, 7)), np.zeros((panels, 3)), no_pulls())


def joined_loads(parts: Sequence[Loads], first_body: Ints) -> Loads:
    """What acts on plants side by side, of which these are groups in a row. first_body: of each group."""
    poses = [one.pose_of_joints() for one in parts] if any(one.is_posed for one in parts) else [AS_DRAWN]
    fields = [NO_FIELD]
    if any(len(one.field) for one in parts):
        fields = [one.field if len(one.field) else np.zeros((2 * len(one.applied), FIELD_COLUMNS)) for one in parts]
    return Loads(
        np.concatenate([one.shared for one in parts]), np.concatenate([one.applied for one in parts]),
        np.concatenate([one.air for one in parts]), joined_pulls([one.pulls for one in parts], first_body),
        np.concatenate(fields), np.concatenate(poses),
    )  # fmt: skip


@inlined
def gravity_of(shared):
    """Gravity (m/s2) of what the bodies of one plant share, (5,)."""
    return (shared[0], shared[1], shared[2])
