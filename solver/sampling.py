# SPDX-License-Identifier: GPL-3.0-or-later
"""From a Sample, given per rod, to what the kernels take, per body; everything that comes in is checked here."""

import reprlib
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .base.arrays import Floats, Ints
from .base.checks import finite, floats, indices, number
from .base.constants import LARGEST
from .base.errors import SolverError
from .dynamics.kinematics import Placed, carried
from .forces.force_field import places_in_field, read_force_field
from .math.rotations import rotate
from .model.model import Model
from .world.loads import AS_DRAWN, Loads, Sample, new_loads

#: Places between which a force field's change is taken are this share of their rod's length apart.
_APART = 1e-3

#: Handles are at most so much stiffer than what they hold: as good as rigid, while the rounding of positions makes no
#: force that could be seen.
_STIFFEST = 1e6


class LoadConverter:
    """Turns Samples into Loads for one model, whose arrays are not to be written to."""

    def __init__(self, model: Model):
        self._model = model
        self._unloaded = new_loads(model.body_count, 0, len(model.panels.rod))  # shared by all that lack a part of it
        self._movable = np.flatnonzero(model.upper >= 0)
        self._middle_moves = np.flatnonzero(model.middle >= 0)
        self._mass_place = places_in_field(model.bodies)
        self._mass_body = np.repeat(np.arange(model.body_count), 2)
        self._panel_body = np.repeat(np.arange(model.body_count), np.diff(model.panels.start))
        self._stiffest: dict[tuple[int, float], float] = {}

    def __call__(self, sample: Sample, placed: Placed, time: float, ahead: float) -> Loads:
        """Per body what the sample gives per rod.

        placed: where the bodies are at the time (s); fields are read ahead (s) of it, where they will be if they go on
        as they are. Raises SolverError for what is not numbers, is out of range or has another shape.
        """
        model = self._model
        m = model.rod_count
        pulled = indices("pull_rod", sample.pull_rod, 0, m - 1, "k")
        k = len(pulled)
        loads = self._unloaded._replace(
            gravity=finite("gravity", sample.gravity, (3,)),
            stiffness_scale=np.array([number("stiffness_scale", sample.stiffness_scale, 0.0, LARGEST)]),
        )
        density = number("air_density", sample.air_density, 0.0, LARGEST)
        at = time + ahead if sample.time is None else number("time", sample.time)
        if not isinstance(sample.buoyancy, bool | np.bool_):
            raise SolverError(f"buoyancy is {sample.buoyancy!r}, expected True or False")
        applied: dict[str, Floats] = {}
        for name, shape, carrier, rods in (
            ("force", (m, 3), model.middle, self._middle_moves),
            ("torque", (m, 3), model.middle, self._middle_moves),
            ("twist", (m,), model.upper, self._movable),
        ):
            given = getattr(sample, name)
            if given is None:
                continue
            values = finite(name, given, shape)
            if values.any():
                applied[name] = np.zeros((model.body_count, *shape[1:]))
                np.add.at(applied[name], carrier[rods], values[rods])
        if sample.wind is not None:
            field = field_of(sample, at)
            air = self._wind_of_rods(sample) if field is None else field(self._panel_places(placed, ahead))
            loads = loads._replace(air_density=np.array([density]), air=air)
            if sample.buoyancy:
                lift = -density * model.body_volume[:, None] * loads.gravity
                applied["force"] = applied.get("force", 0.0) + lift
        along = finite("pull_along", sample.pull_along, (k,), 0.0, 1.0)
        target = finite("pull_target", sample.pull_target, (k, 3))
        stiffness = finite("pull_stiffness", sample.pull_stiffness, (k,), 0.0)
        damping = finite("pull_damping", sample.pull_damping, (k,), 0.0)
        if k > 0:
            body, point = points_on_rods(model, pulled, along)
            loads = loads._replace(
                pull_body=body, pull_point=point, pull_target=target, pull_damping=damping,
                pull_stiffness=np.minimum(stiffness, self._stiffest_handles(body, point)),
            )  # fmt: skip
        force_field = force_field_of(sample, at, model)
        if force_field is not None:
            loads = loads._replace(field=force_field(*self._mass_places(placed, ahead)))
        if sample.pose is not None:
            loads = loads._replace(pose=self._pose(finite("pose", sample.pose, (m, 4))))
        return loads._replace(**applied, applied=any(bool(values.any()) for values in applied.values()))

    def _stiffest_handles(self, body: Ints, point: Floats) -> Floats:
        """(k,) N/m: the stiffest that handles at points of bodies are taken to be, 0 at the base itself."""
        reach = np.linalg.norm(point, axis=1).tolist()
        found = np.zeros(len(body))
        for j, key in enumerate(zip(body.tolist(), reach, strict=True)):
            if key not in self._stiffest:
                self._stiffest[key] = _STIFFEST * self._strength(*key)
            found[j] = self._stiffest[key]
        return found

    def _strength(self, body: int, reach: float) -> float:
        """N/m: what resists at a point so far (m) from a body's joint: the springs of the joints on the way from the
        base or, if that is more, the weight of all that they carry over the length of the way."""
        bodies, length, gives, hung = self._model.bodies, reach, 0.0, 0.0
        while body >= 0:
            soft = float(bodies.stiffness[body].min())
            gives = gives + length * length / soft if soft > 0.0 else np.inf
            length += float(np.linalg.norm(bodies.offset[body]))
            hung = float(self._outboard[body])
            body = int(bodies.parent[body])
        return max(1.0 / gives if gives > 0.0 else 0.0, 9.81 * hung / length) if length > 0.0 else 0.0

    @cached_property
    def _outboard(self) -> Floats:
        """(n,) kg: mass of the bodies and of all that they carry."""
        mass = self._model.bodies.mass.tolist()
        for i in range(len(mass) - 1, 0, -1):
            if (k := int(self._model.bodies.parent[i])) >= 0:
                mass[k] += mass[i]
        return np.array(mass)

    def _pose(self, pose: Floats) -> Floats:
        """(n, 4) rotations of the joints of rods that are posed so; AS_DRAWN where none is turned."""
        size = np.linalg.norm(pose, axis=1)
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

    def _panel_places(self, placed: Placed, ahead: float) -> Floats:
        """(p, 3) m: where the panels will be ahead (s) of now if their bodies go on as they are."""
        return carried(placed, self._panel_body, self._model.panels.center, ahead)[0]

    def _mass_places(self, placed: Placed, ahead: float) -> tuple[Floats, Floats]:
        """(2 n, 3) m and m/s: where the halves of the bodies' masses will be ahead (s) of now, and how they move."""
        return carried(placed, self._mass_body, self._mass_place, ahead)

    def _wind_of_rods(self, sample: Sample) -> Floats:
        """(p, 3) m/s at the panels, of one velocity of the air or one per rod."""
        wind, rods = floats("wind", sample.wind), self._model.rod_count
        if wind.shape not in ((3,), (rods, 3)):
            raise SolverError(f"wind has shape {wind.shape}, expected (3,) or {(rods, 3)}")
        wind = finite("wind", wind, wind.shape)
        panels = self._model.panels.rod
        if wind.ndim > 1:
            return wind[panels]
        air = np.empty((len(panels), 3))
        air[:] = wind
        return air


def field_of(sample: Sample, time: float) -> Callable[[Floats], Floats] | None:
    """The sample's wind at the time (s) as a field of points (k, 3) m alone, or None where it is not a field.

    The field raises SolverError for velocities that are not finite and of another shape than the points.
    """
    wind = sample.wind
    if not callable(wind):
        return None
    return lambda points: finite("wind", wind(points, time), points.shape)


def force_field_of(sample: Sample, time: float, model: Model) -> Callable[[Floats, Floats], Floats] | None:
    """The sample's force field at the time (s) as kernels take it, (2 n, 24), or None where there is none.

    It takes where the halves of the bodies' masses are, (2 n, 3) m, and their velocities (2 n, 3) m/s. Raises
    SolverError for what is no function, as the field does for accelerations that are not finite and of another shape.
    """
    field = sample.force_field
    if field is None:
        return None
    if not callable(field):
        raise SolverError(f"force_field must be a function, not {reprlib.repr(field)}")
    apart = _APART * np.repeat(model.length[model.body_rod], 2)
    return lambda points, velocities: read_force_field(field, points, velocities, apart, time)


def points_on_rods(model: Model, rod: Ints, along: Floats) -> tuple[Ints, Floats]:
    """(k,) bodies, -1 for the base, and (k, 3) m in their frames, of the places along (0 base, 1 tip) on rods (k,)."""
    # Joints are in order of their rods and along these, so those passed are found in one search.
    joint = np.searchsorted(model.body_rod + model.body_at, rod + np.clip(along, 0.0, 1.0 - 1e-9), "right") - 1
    own = (joint >= 0) & (model.body_rod[joint] == rod)
    y = np.zeros((len(rod), 3))
    y[:, 1] = (along - np.where(own, model.body_at[joint], 0.0)) * model.length[rod]
    on_lower = model.head[rod] + rotate(model.rod_rest[rod], y)
    return np.where(own, joint, model.lower[rod]), np.where(own[:, None], y, on_lower)


def base_poses(sample: Sample, plants: int) -> tuple[Floats, Floats]:
    """Positions (plants, 3) and unit quaternions (plants, 4) of the sample's bases.

    Raises SolverError for what is not finite numbers or no rotation.
    """
    position = _per_plant("base_position", sample.base_position, plants, 3)
    orientation = _per_plant("base_orientation", sample.base_orientation, plants, 4)
    norm = np.sqrt((orientation * orientation).sum(axis=1))
    if (norm < 1e-6).any():
        raise SolverError("base_orientation is not a rotation")
    return position, orientation / norm[:, None]


def _per_plant(name: str, values: ArrayLike, plants: int, k: int) -> Floats:
    """One row of k numbers for every plant; one row alone is that of all."""
    array = floats(name, values)
    if array.size == k and plants > 1:
        array = np.broadcast_to(array.reshape(-1), (plants, k))
    return finite(name, array, (plants, k))
