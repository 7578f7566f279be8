# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant's samples compared, what is put into them, and what is taken from them."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ....solver import Collider, Curve, Guide, Sample, Surface
from ..rig.plant import Plant

#: How long and thick rods are and where they sit, by a Sample's names.
_LENGTHS = ("stretch", "thickness", "shift")


@dataclass(frozen=True)
class ThingAt:
    """Where the body of a thing that the plant moves stands, in axes of its own, as long as it is held. position (3,)
    m; orientation (4,)."""

    position: tuple[float, ...]
    orientation: tuple[float, ...]
    is_held: bool


@dataclass(frozen=True)
class TieTo:
    """A rod tied to one of another plant: which of those that are simulated together, and the guide, whose other rod is
    counted from the first of that one's."""

    plant: int
    guide: Guide


@dataclass(frozen=True)
class Surroundings(Sample):
    """A plant's world with the things that it moves, and its ties to other plants. parents_scale (m, 3): what Blender
    multiplies bones' places in their parents' axes by; None: nothing. led_places (k, 6): locations and scales of
    the rods that constraints lead there, see Led; along (a, 10): rotations, locations and scales of the bones of Along;
    None where there are none."""

    things: tuple[ThingAt, ...] = ()
    parents_scale: np.ndarray | None = None
    led_places: np.ndarray | None = None
    along: np.ndarray | None = None
    ties: tuple[TieTo, ...] = ()


@dataclass(frozen=True)
class Pull:
    """A place on a bone that a spring draws to a point. rod: index; along: 0 at its head, 1 at its tip; target (3,) m;
    stiffness N/m; damping N s/m."""

    rod: int
    along: float
    target: tuple[float, float, float]
    stiffness: float
    damping: float = 0.0


def pull_columns(pulls: Iterable[Pull]) -> dict[str, list[Any]]:
    """The pulls as a Sample has them, by its names."""
    rows = list(pulls)
    return {f"pull_{one.name}": [getattr(row, one.name) for row in rows] for one in fields(Pull)}


def same(a: Sample, b: Sample) -> bool:
    """Whether two samples are equal to the last bit."""
    return all(x is y or equal(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True))


def equal(x: Any, y: Any) -> bool:
    """Whether two values of samples are equal to the last bit."""
    if x is y:
        return True
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(equal, x, y))
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(equal, x, y))
    if isinstance(x, Collider | Guide | Curve | Surface) and type(x) is type(y):
        return all(map(equal, vars(x).values(), vars(y).values()))
    if isinstance(x, np.ndarray) or type(x) is not type(y):
        return bool(np.array_equal(x, y))
    return bool(x == y)


def parents_scale_of(sample: Sample) -> np.ndarray | None:
    """As of Surroundings."""
    assert isinstance(sample, Surroundings)
    return sample.parents_scale


def led_places_of(sample: Sample) -> np.ndarray | None:
    """As of Surroundings."""
    assert isinstance(sample, Surroundings)
    return sample.led_places


def along_of(sample: Sample) -> np.ndarray | None:
    """As of Surroundings."""
    assert isinstance(sample, Surroundings)
    return sample.along


def ties_to_others(sample: Sample) -> tuple[TieTo, ...]:
    """As of Surroundings."""
    return sample.ties if isinstance(sample, Surroundings) else ()


def with_keys_of(sample: Sample, before: Sample) -> Sample:
    """The sample with what follows keys of its own, bones and things that the plant moves, as before."""
    assert isinstance(sample, Surroundings)
    assert isinstance(before, Surroundings)
    pairs = zip(sample.things, before.things, strict=True)
    things = tuple(replace(kept, is_held=now.is_held) for now, kept in pairs)
    lengths = {name: getattr(before, name) for name in (*_LENGTHS, "parents_scale", "led_places", "along")}
    return replace(sample, pose=before.pose, things=things, **lengths)


def under_own_weight(sample: Sample, plant: Plant) -> list[Sample]:
    """The sample of each of the plant's models, with its own base and pose, for what is a property of the plant: of all
    that acts on it only gravity is left."""
    positions, orientations = np.array(sample.base_position), np.array(sample.base_orientation)
    ends = np.cumsum([model.rod_count for model in plant.models])
    names = ("pose", *_LENGTHS)
    given = [getattr(sample, name) for name in names]
    each = [[None] * len(ends) if one is None else np.split(np.array(one), ends[:-1]) for one in given]
    return [
        Sample(position, orientation, sample.gravity, sample.stiffness_scale, **dict(zip(names, own, strict=True)))
        for position, orientation, *own in zip(positions, orientations, *each, strict=True)
    ]
