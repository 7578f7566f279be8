# SPDX-License-Identifier: GPL-3.0-or-later
"""What plants touched in frames, as a few arrays for a file. Needs no Blender."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ....solver import ContactPoints
from ...errors import PlantError

#: Where a frame's contacts are not known, or there was nothing to touch.
_NONE = -1


class ContactArrays(NamedTuple):
    """contact_counts (f,): points of each frame, -1 for none known; all frames' points one after the other:
    contact_which (c, 2) rod and collider, contact_numbers (c, 10) as of ContactPoints: point, normal, force, gap."""

    contact_counts: np.ndarray
    contact_which: np.ndarray
    contact_numbers: np.ndarray


def contact_arrays(frames: Sequence[ContactPoints | None]) -> ContactArrays:
    """Of frames in a row."""
    known = [one for one in frames if one is not None]
    which = [np.column_stack([one.rod, one.collider]) for one in known]
    numbers = [np.column_stack([one.point, one.normal, one.force, one.gap]) for one in known]
    return ContactArrays(
        np.array([_NONE if one is None else len(one.rod) for one in frames], dtype=np.int64),
        np.concatenate([np.zeros((0, 2), dtype=np.int64), *which]),
        np.concatenate([np.zeros((0, 10)), *numbers]),
    )


def are_whole(arrays: ContactArrays) -> bool:
    """Whether there are as many points as the frames are said to have."""
    counts = arrays.contact_counts
    return bool((counts >= _NONE).all()) and sum(counts[counts > 0].tolist()) == len(arrays.contact_which)


def contacts_of_frames(arrays: ContactArrays, rods: int) -> list[ContactPoints | None]:
    """Frame by frame, of a plant of so many rods. Raises PlantError if what touched is not a part of it."""
    which, numbers = arrays.contact_which, arrays.contact_numbers
    rod, collider = which.T
    if not ((rod >= 0) & (rod < rods) & (collider >= -1)).all():  # -1: another rod
        raise PlantError("its contacts are of another plant")
    ends = np.cumsum(np.maximum(arrays.contact_counts, 0)).tolist()
    return [
        None if count == _NONE else _points(which[end - count : end], numbers[end - count : end])
        for count, end in zip(arrays.contact_counts.tolist(), ends, strict=True)
    ]


def _points(which: np.ndarray, numbers: np.ndarray) -> ContactPoints:
    return ContactPoints(
        which[:, 0], which[:, 1], numbers[:, :3], numbers[:, 3:6], numbers[:, 6:9], numbers[:, 9]
    )  # fmt: skip
