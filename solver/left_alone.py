# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rods are let through which colliders and each other, because they overlapped when they began."""

from collections.abc import Sequence

import numpy as np

from .base.arrays import Ints1, Ints2
from .contact.touch import new_touch
from .model.model import Model
from .snapshot import Snapshot


def left_alone(model: Model, snapshot: Snapshot) -> Ints2:
    """(k, 2) rods of the model and colliders, in the order of the snapshot's sample, that overlapped when they began
    and have not parted until the snapshot; each pair once, in order."""
    shape, half = snapshot.contacts.left_alone.T
    return np.unique(np.column_stack([_rods_of_shapes(model)[shape], half // 2]), axis=0)


def pairs_left_alone(systems: Sequence[Model], snapshot: Snapshot) -> Ints2:
    """(k, 2) rods, the lower one first, that overlapped each other when they began to touch and have not parted until
    the snapshot; each pair once, in order. systems: of the simulation, over all of which rods are counted."""
    paired = snapshot.paired
    if paired is None:
        return np.zeros((0, 2), dtype=np.int64)
    shapes = [_rods_of_shapes(model) for model in systems]
    first_shape = np.cumsum([0] + [len(rods) for rods in shapes])
    first_rod = np.cumsum([0] + [model.rod_count for model in systems])
    rod = np.concatenate([first + rods for first, rods in zip(first_rod[:-1], shapes, strict=True)])
    system = np.repeat(np.arange(len(systems)), paired.used)
    pairs = np.sort(rod[first_shape[system, None] + paired.ends][paired.alone], axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def _rods_of_shapes(model: Model) -> Ints1:
    """Of which rod each shape is, in the order of snapshots."""
    return new_touch(model, np.array([0, model.body_count])).shapes.rod
