# SPDX-License-Identifier: GPL-3.0-or-later
"""From a Sample, given per rod, to what the kernels take, per body; everything that comes in is checked here."""

import reprlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import is_
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .base.arrays import Floats, Ints
from .base.checks import finite, floats, indices, number, truth
from .base.constants import LARGEST
from .base.errors import SolverError
from .dynamics.kinematics import Placed, carried
from .forces.air import carried_by_air
from .forces.air_reader import AirReader
from .forces.applied import AppliedReader
from .forces.force_field import FieldReader
from .forces.lift import lifted
from .forces.loads import AIR_DENSITY, AS_DRAWN, GRAVITY, SHARED, STIFFNESS_SCALE, Loads, filled
from .guides.pull_reader import PullReader
from .guides.strengths import pursuit_of
from .guides.tie_reader import TieReader
from .joints.reference import follow_of
from .joints.stretch import lengths_of
from .model.model import Model
from .world.guide import Guide
from .world.sample import Sample
from .world.wind import gusts_alone

_Made = TypeVar("_Made")

_NUMBERS = (float, int, bool)

#: Laws that are forces (n, 3) N at the bodies' centres of mass, the same all through a step.
BODY_FORCES = (carried_by_air, lifted)


class Remembered(Generic[_Made]):
    """A function of fields of a sample, which is called once where the very same numbers and tuples of numbers come
    again: nobody can have changed these. What it makes is not to be written to."""

    def __init__(self, make: Callable[..., _Made]):
        self._make = make
        self._known: tuple[tuple[object, ...], _Made] | None = None

    def __call__(self, *given: object) -> _Made:
        """What it makes of these fields."""
        known = self._known
        if known is not None and all(map(is_, given, known[0])):
            return known[1]
        made = self._make(*given)
        self._known = (given, made) if all(map(_cannot_change, given)) else None
        return made


def _cannot_change(value: object) -> bool:
    """Whether it is a number, or a tuple of numbers."""
    return type(value) in _NUMBERS or (type(value) is tuple and all(type(one) in _NUMBERS for one in value))


class LoadReader:
    """Turns Samples into Loads for one model, which are not to be written to."""

    def __init__(self, model: Model, plant_of_bodies: Ints, together: bool, stretched: Callable[[Floats], Model]):
        """together: whether all plants must have the same gravity and stiffness scale; stretched: the model with rods
        of other lengths, see Present."""
        self._together = together
        system = np.zeros_like(plant_of_bodies) if together else plant_of_bodies
        self._model, self._plant_of_bodies = model, plant_of_bodies
        self._plants = int(plant_of_bodies[-1]) + 1
        self._applied, self._pulls, self._ties = AppliedReader(model), PullReader(model), TieReader(model, system)
        self._stretched, self._of = stretched, model
        self._air, self._field = AirReader(model), FieldReader(model)
        self._known_guides: dict[int, tuple[Guide, Guide]] = {}
        self._shared = Remembered(self._shared_of)
        self._flutter = Remembered(lambda given: number_per_plant("flutter", given, self._plants))
        self._poses = Remembered(lambda position, orientation: base_poses(position, orientation, self._plants))
        self._wanted = Remembered(lambda itself, others: touching_wanted(itself, others, self._plants))

    def __call__(self, sample: Sample, placed: Placed, time: float, ahead: float) -> Loads:
        """Per body what the sample gives per rod.

        placed: where the bodies are at the time (s); fields are read ahead (s) of it, where they will be if they go on
        as they are. Raises SolverError for what is not numbers, is out of range or has another shape.
        """
        shared = self._shared(sample.gravity, sample.stiffness_scale)
        density = number("air_density", sample.air_density, 0.0, LARGEST)
        at = time + ahead if sample.time is None else number("time", sample.time)

        def place(body: Ints, point: Floats) -> tuple[Floats, Floats]:
            return carried(placed, body, point, ahead)

        lengths, guides = lengths_of(sample, self._model), self._checked(sample.guides)
        present = self._stretched(lengths)
        if present is not self._of:
            self._of, self._air, self._field = present, AirReader(present), FieldReader(present)
        follow = follow_of(sample, self._model)
        pursuit = pursuit_of(follow) if guides else 0.0
        loads = Loads(
            shared, self._pulls(sample, guides, present, pursuit), self._applied(sample), lengths=lengths,
            ties=self._ties(guides, present, pursuit), follow=follow,
        )  # fmt: skip
        flutter, field = self._flutter(sample.flutter), self._field(sample, at, place)
        if sample.wind is not None:
            shared = shared.copy()
            shared[:, AIR_DENSITY] = density
            air, plate_air = self._air(sample, flutter[self._plant_of_bodies], at, place)
            loads = loads._replace(shared=shared, air=air, plate_air=plate_air)
        for law in BODY_FORCES:
            force = law(sample, loads, present, self._plant_of_bodies)
            if force is not None:
                applied = filled(loads.applied, len(force)).copy()
                applied[:, :3] += force
                loads = loads._replace(applied=applied)
        if field is not None:
            loads = loads._replace(field=field)
        if sample.pose is not None:
            loads = loads._replace(pose=self._pose(finite("pose", sample.pose, (self._model.rod_count, 4))))
        return loads

    def base_poses(self, sample: Sample) -> tuple[Floats, Floats]:
        """Where the bases of plants are, see base_poses below."""
        return self._poses(sample.base_position, sample.base_orientation)

    def touching_wanted(self, sample: Sample) -> Ints:
        """What of plants is to touch, see touching_wanted below."""
        return self._wanted(sample.touches_itself, sample.touches_others)

    def _shared_of(self, gravity: ArrayLike, scale: ArrayLike) -> Floats:
        """(plants, 5) what the bodies of each share, without air."""
        plants = self._plants
        shared = np.zeros((plants, SHARED))
        shared[:, GRAVITY:STIFFNESS_SCALE] = per_plant("gravity", gravity, plants, 3)
        shared[:, STIFFNESS_SCALE] = number_per_plant("stiffness_scale", scale, plants)
        if self._together and not (shared == shared[0]).all():
            raise SolverError("plants that go together have the same gravity and the same stiffness scale")
        return shared

    def _checked(self, guides: Sequence[Guide]) -> list[Guide]:
        """The same, checked; those of the last sample have been."""
        known = self._known_guides
        if not isinstance(guides, Sequence) or not all(isinstance(one, Guide) for one in guides):
            raise SolverError(f"guides must be a sequence of Guides, not {reprlib.repr(guides)}")
        pairs = [known.get(id(one)) or (one, one.checked(self._model.rod_count)) for one in guides]
        self._known_guides = {id(one): (one, checked) for one, checked in pairs}
        return [checked for _, checked in pairs]

    def _pose(self, pose: Floats) -> Floats:
        """(n, 4) rotations of the joints of rods that are posed so; AS_DRAWN where none is turned."""
        size = np.sqrt(np.einsum("ij,ij->i", pose, pose))
        for rod in np.flatnonzero(np.abs(size - 1.0) > 1e-3)[:1]:
            raise SolverError("pose is not a unit quaternion", int(rod))
        pose = pose / size[:, None]
        posed = pose[:, 1:].any(axis=1)
        for rod in np.flatnonzero(posed & (self._model.stub > 0.0))[:1]:
            raise SolverError("it is posed, which needs a joint at its base: choose another layout", int(rod))
        if not posed.any():
            return AS_DRAWN
        joints = np.zeros((self._model.body_count, 4))
        joints[:, 0] = 1.0
        joints[self._model.first_joint[posed]] = pose[posed]
        return joints


def without_eddies(sample: Sample) -> Sample:
    """The sample with gusts alone, in which plants can come to rest."""
    return replace(sample, wind=gusts_alone(sample.wind))


def base_poses(position: ArrayLike, orientation: ArrayLike, plants: int) -> tuple[Floats, Floats]:
    """Positions (plants, 3) and unit quaternions (plants, 4) of a sample's bases.

    Raises SolverError for what is not finite numbers or no rotation.
    """
    positions = per_plant("base_position", position, plants, 3)
    orientations = per_plant("base_orientation", orientation, plants, 4)
    norm = np.sqrt((orientations * orientations).sum(axis=1))
    if (norm < 1e-6).any():
        raise SolverError("base_orientation is not a rotation")
    return positions, orientations / norm[:, None]


def touching_wanted(touches_itself: ArrayLike, touches_others: ArrayLike, plants: int) -> Ints:
    """(plants, 2) 1 for plants that touch themselves; and of which company they touch others that go with them, -1 for
    none.

    Raises SolverError for what is neither true nor false, or no number of a company, or has another shape.
    """
    itself = np.asarray(touches_itself)
    if itself.ndim == 0:
        itself = np.full(plants, truth("touches_itself", touches_itself))
    if itself.dtype != np.bool_ or itself.shape != (plants,):
        raise SolverError(f"touches_itself has shape {itself.shape} of {itself.dtype}, expected ({plants},) of bool")
    company = np.asarray(touches_others)
    if company.ndim == 0:
        company = np.full(plants, 0 if truth("touches_others", touches_others) else -1)
    company = indices("touches_others", company, -1, plants - 1, f"{plants}")
    if len(company) != plants:
        raise SolverError(f"touches_others has {len(company)} numbers, expected one for each of {plants} plants")
    return np.stack([itself, company], axis=1)


def touches_anything(sample: Sample) -> bool:
    """Whether plants touch colliders, themselves or each other."""
    others = np.asarray(sample.touches_others)
    company = others if others.dtype == np.bool_ else others >= 0
    return bool(len(sample.colliders) or np.any(sample.touches_itself) or np.any(company))


def parting_speed(sample: Sample) -> float:
    """How fast (m/s) plants that overlap are pushed apart; raises SolverError for what is negative."""
    return number("parting_speed", sample.parting_speed, 0.0)


def number_per_plant(name: str, given: ArrayLike, plants: int) -> Floats:
    """(plants,) one from 0 for each; one alone is that of all."""
    if plants > 1 and np.ndim(given):
        return finite(name, given, (plants,), 0.0)
    return np.full(plants, number(name, given, 0.0, LARGEST))


def per_plant(name: str, values: ArrayLike, plants: int, k: int) -> Floats:
    """One row of k numbers for every plant; one row alone is that of all."""
    array = floats(name, values)
    if array.ndim > 1 or (plants > 1 and array.size != k):
        return finite(name, array, (plants, k))
    row = finite(name, array, (k,)).reshape(1, k)
    return row if plants == 1 else np.repeat(row, plants, axis=0)
