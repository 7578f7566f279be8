# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides that do not hold what they should: nails farther away than the rope is long, two of them for one tip."""

import weakref
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ....solver import Curve, Guide, Sample, Surface, rotations
from ....solver.guides.distances import DistanceFrom
from ...memory import Memory
from ..cache.cached_frames import Frame
from ..rig.broken_bones import WHOLE
from ..rig.plant import Plant
from ..surroundings.samples import ties_to_others
from .known_frames import KnownFrames
from .references import reference_ends
from .session import Session

#: From which share of the way from the base to the bone's tip on it is told that a guide gives way; also of bones that
#: bend in themselves and are shown straight.
_SHARE, _BENT_SHARE = 2e-3, 5e-2

#: 1/s: what is not where it is held at first is drawn in by so many times the plant's size a second, as solver/guides
#: has it, and a little more slowly is well too.
_DRAWN_IN = 0.9

#: From this share of the farthest on it is about as far off as that.
_ABOUT = 0.99

#: The place in the course of the plant itself.
OWN = -1


@dataclass(frozen=True)
class GivenWay:
    """A guide that gives way.

    bone: which it should hold; by and holder: what, see Guide and NamedGuide; first: the first frame at which it does;
    off: how far (m) the bone is off at most, beyond what it may be; worst: the first frame at which it is about so far;
    is_limited: whether the user limits force
    """

    bone: str
    by: str
    holder: str
    first: int
    worst: int
    off: float
    is_limited: bool


@dataclass
class _Watch:
    """frames: so many have been looked at, of the known ones with so many revisions; allowed: by how much (m) guides,
    by what they are known by, may be off at the last of them; found: those that give way; rising: the frames at which
    each was farther off than at all before, with how far (m), from the first one on that is about the farthest; shapes
    by their names."""

    known: "weakref.ref[KnownFrames]"
    revisions: int
    frames: int = 0
    allowed: dict[Hashable, float] = field(default_factory=dict)
    found: dict[Hashable, GivenWay] = field(default_factory=dict)
    rising: dict[Hashable, list[tuple[int, float]]] = field(default_factory=dict)
    shapes: dict[str, tuple[Curve | Surface, DistanceFrom]] = field(default_factory=dict)

    def distance_from(self, shape: Curve | Surface) -> DistanceFrom:
        """What finds how far points are from a curve or a surface; of the last frame's where that is the same."""
        known = self.shapes.get(shape.name)
        if known is None or known[0] is not shape:
            known = self.shapes[shape.name] = shape, DistanceFrom(shape)
        return known[1]


#: Panels ask whenever they are drawn; each frame is looked at once.
_watches: Memory[_Watch] = Memory()


def given_way(session: Session) -> list[GivenWay]:
    """The guides that give way in the known frames though they should hold exactly, the farthest off first.

    Not those that are soft, and not while they draw in what they were not near to when they began to hold.
    """
    known, watch = session.known, _watches.get(session.uid)
    is_same = watch is not None and watch.known() is known and watch.revisions == known.revisions
    if watch is None or not is_same or watch.frames > len(known):
        watch = _watches[session.uid] = _Watch(weakref.ref(known), known.revisions)
    frames = known.frames[watch.frames :]
    if frames:
        _look(watch, session, frames)
        watch.frames += len(frames)
    return sorted(watch.found.values(), key=lambda one: -one.off)


def _look(watch: _Watch, session: Session, frames: Sequence[Frame]) -> None:
    """Look at the frames that follow those that were looked at."""
    plant, first = session.plant, session.recording.start_frame + watch.frames
    guides = [_rigid(frame) for frame in frames]
    if not any(guides):
        watch.allowed.clear()
        return
    own = {held.guide.rod for one in guides for held in one.values()}
    own |= {held.guide.other_rod for one in guides for held in one.values() if held.plant == OWN}
    shown = _Shown(plant, frames, own - {-1})
    others = _others_shown(session, watch.frames, guides)
    ends = reference_ends(plant, session.recording.worlds[watch.frames]).reshape(-1, 3)
    drawn_in = _DRAWN_IN * float(np.ptp(ends, axis=0).max()) * session.recording.frame_duration
    for i, here in enumerate(guides):
        found = {key: _off(watch, shown, others.get(one.plant, shown), i, one.guide) for key, one in here.items()}
        offs = {key: off for key, off in found.items() if off is not None}
        settled = first + i == session.recording.start_frame and session.manner.start == "settled"
        watch.allowed = {
            key: _allowed(off, watch.allowed.get(key), drawn_in, settled and not _leads(frames[i], here[key].guide.rod))
            for key, off in offs.items()
        }
        for key, off in offs.items():
            beyond = off - watch.allowed[key]
            if beyond > shown.tolerance(here[key].guide.rod):
                _take(watch, plant.bones[here[key].guide.rod], key, here[key].guide, first + i, beyond)


def _allowed(off: float, before: float | None, drawn_in: float, settled: bool) -> float:
    """m: what is off may be so far off, for it is drawn in from where it began, but not where the start has settled."""
    if settled:
        return 0.0
    return off if before is None else max(0.0, before - drawn_in)


def _leads(frame: Frame, rod: int) -> bool:
    """Whether a rod follows its pose exactly, so that no start moves it to what holds it."""
    follow = frame.world.follow if isinstance(frame.world, Sample) else None
    return follow is not None and bool(np.asarray(follow)[rod] >= 1.0)


def _others_shown(session: Session, first: int, guides: Sequence[dict[Hashable, "_Held"]]) -> dict[int, "_Shown"]:
    """The plants to which the plant is tied in frames from the first on, by their places in the course."""
    rods: dict[int, set[int]] = {}
    for held in (held for one in guides for held in one.values() if held.plant != OWN):
        rods.setdefault(held.plant, set()).add(held.guide.other_rod)
    together, count = session.course.sessions, first + len(guides)
    known = {k: together[k] for k in rods if k < len(together) and len(together[k].known) >= count}
    return {k: _Shown(one.plant, one.known.frames[first:count], rods[k]) for k, one in known.items()}


def _take(watch: _Watch, bone: str, key: Hashable, guide: Guide, frame: int, off: float) -> None:
    """Note that a guide gives way at a frame."""
    before = watch.found.get(key)
    if before is not None and off <= before.off:
        return
    rising = [*watch.rising.get(key, ()), (frame, off)]
    rising = watch.rising[key] = [one for one in rising if one[1] >= _ABOUT * off]
    holder, is_limited = getattr(guide, "holder", ""), getattr(guide, "is_limited", False)
    first = frame if before is None else before.first
    watch.found[key] = GivenWay(bone, guide.by, holder, first, rising[0][0], off, is_limited)


class _Held(NamedTuple):
    """A guide, and the place in the course of the plant of its other rod."""

    guide: Guide
    plant: int


def _rigid(frame: Frame) -> dict[Hashable, _Held]:
    """The guides of a frame that hold exactly, by what they are known by at the next one."""
    found: dict[Hashable, _Held] = {}
    count: Counter[Hashable] = Counter()
    if isinstance(frame.world, bytes):
        return found
    every = [_Held(one, OWN) for one in frame.world.guides]
    for held in [*every, *(_Held(tie.guide, tie.plant) for tie in ties_to_others(frame.world))]:
        one = held.guide
        key = (one.rod, one.along, one.by, one.other_rod, one.other_along, held.plant, getattr(one, "holder", ""))
        count[key] += 1  # several may hold one point
        if np.isinf(one.stiffness):
            found[*key, count[key]] = held
    return found


class _Shown:
    """Where some rods of a plant are shown in frames."""

    def __init__(self, plant: Plant, frames: Sequence[Frame], rods: set[int]):
        self._plant = plant
        self._chains = {rod: plant.chain(rod) for rod in rods}
        worlds = [frame.world for frame in frames if isinstance(frame.world, Sample)]
        channel = {rod: place for place, rod in enumerate(plant.moving.tolist())}
        carrier = np.repeat(np.arange(len(plant.models)), [model.rod_count for model in plant.models])
        position = np.array([np.array(world.base_position) for world in worlds])
        turned = np.array([np.array(world.base_orientation) for world in worlds])
        offset = np.array([plant.offsets_in(world) for world in worlds])
        length = np.concatenate([part.array("length") for part in plant.parts])
        stretch = [1.0 if world.stretch is None else np.array(world.stretch)[:, None] for world in worlds]
        self._length = np.array([length[:, None] * one for one in stretch])
        pose = np.array([frame.channels for frame in frames])
        self._head: dict[int, np.ndarray] = {}
        self._turn: dict[int, np.ndarray] = {}
        self._broken: dict[int, np.ndarray] = {}
        for rod in sorted({rod for chain in self._chains.values() for rod in chain}):
            below = int(plant.parent[rod])
            at = position[:, carrier[rod]] if below < 0 else self._head[below]
            by = turned[:, carrier[rod]] if below < 0 else self._turn[below]
            self._head[rod] = at + rotations.rotate(by, offset[:, rod])
            own = plant.rest[rod]
            place = channel.get(rod)
            if place is not None:
                own = rotations.multiply(own, pose[:, place])
            self._turn[rod] = rotations.multiply(by, own)
            broken = [
                frame.broken is not None and place is not None and frame.broken.state[place] != WHOLE
                for frame in frames
            ]
            self._broken[rod] = np.array(broken) | (self._broken[below] if below >= 0 else False)

    def is_broken(self, i: int, rod: int) -> bool:
        """Whether a bone on the way from the base to this one is broken, so that it lies elsewhere."""
        return bool(self._broken[rod][i])

    def point(self, i: int, rod: int, along: float) -> np.ndarray:
        """(3,) m: a point of the rod in the frame of this number."""
        away = np.array([0.0, along * float(self._length[i, rod, 0]), 0.0])
        return self._head[rod][i] + rotations.rotate(self._turn[rod][i], away)

    def tolerance(self, rod: int) -> float:
        """m: nobody sees that the rod is off by less."""
        model, chain = self._plant.model, self._chains[rod]
        bent = bool((model.joint_count[chain] > 1).any())
        return (_BENT_SHARE if bent else _SHARE) * float(model.length[chain].sum())


def _off(watch: _Watch, shown: _Shown, other: _Shown, i: int, guide: Guide) -> float | None:
    """How far (m) what a guide holds is from where it is held, None where that is not known; other: the plant of its
    other rod."""
    if shown.is_broken(i, guide.rod):
        return None
    point = shown.point(i, guide.rod, guide.along)
    if guide.by == "rod":
        if guide.other_rod < 0 or other.is_broken(i, guide.other_rod):
            return None
        return float(np.linalg.norm(point - other.point(i, guide.other_rod, guide.other_along)))
    if (shape := guide.surface or guide.curve) is not None:
        return float(watch.distance_from(shape)(point[None])[0])
    away = point - np.array(guide.position)
    if guide.by == "place":
        return float(np.linalg.norm(away))
    if guide.by == "plane":
        normal = np.array(guide.normal)
        return float(abs(away @ normal) / np.linalg.norm(normal))
    return None
