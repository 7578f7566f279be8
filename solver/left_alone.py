# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rods are let through which colliders, because they overlapped them when they began."""

import numpy as np

from .base.arrays import Ints2
from .contact.touch import new_touch
from .model.model import Model
from .simulation import Snapshot


def left_alone(model: Model, snapshot: Snapshot) -> Ints2:
    """(k, 2) rods of the model and colliders, in the order of the snapshot's sample, that overlapped when they began
    and have not parted until the snapshot; each pair once, in order."""
    shape, half = snapshot.contacts.left_alone.T
    shapes = new_touch(model, np.array([0, model.body_count])).shapes  # in the order of the snapshot
    return np.unique(np.column_stack([shapes.rod[shape], half // 2]), axis=0)
