# SPDX-License-Identifier: GPL-3.0-or-later
"""From a Sample, given per rod, to what the kernels take, per body; everything that comes in is checked here."""

import numpy as np
from numpy.typing import ArrayLike

from .base.arrays import Floats, Ints
from .base.checks import finite, floats, number
from .base.constants import LARGEST
from .base.errors import SolverError
from .dynamics.kinematics import Placed, carried
from .forces.air import AirReader
from .forces.applied import AppliedReader
from .forces.force_field import FieldReader
from .forces.pulls import PullReader
from .model.model import Model
from .world.loads import AS_DRAWN, Loads, Sample, new_loads


class LoadConverter:
    """Turns Samples into Loads for one model, whose arrays are not to be written to."""

    def __init__(self, model: Model, plant_of_bodies: Ints):
        self._model, self._plant_of_bodies = model, plant_of_bodies
        self._unloaded = new_loads(model.body_count, 0, len(model.panels.rod))  # shared by all that lack a part of it
        self._applied, self._pulls = AppliedReader(model), PullReader(model)
        self._air, self._field = AirReader(model), FieldReader(model)

    def __call__(self, sample: Sample, placed: Placed, time: float, ahead: float) -> Loads:
        """Per body what the sample gives per rod.

        placed: where the bodies are at the time (s); fields are read ahead (s) of it, where they will be if they go on
        as they are. Raises SolverError for what is not numbers, is out of range or has another shape.
        """
        loads = self._unloaded._replace(
            gravity=self._each("gravity", sample.gravity, (3,)),
            stiffness_scale=self._each("stiffness_scale", sample.stiffness_scale, (), 0.0).reshape(-1),
            **self._pulls(sample),
        )
        density = number("air_density", sample.air_density, 0.0, LARGEST)
        at = time + ahead if sample.time is None else number("time", sample.time)
        if not isinstance(sample.buoyancy, bool | np.bool_):
            raise SolverError(f"buoyancy is {sample.buoyancy!r}, expected True or False")
        applied = self._applied(sample)

        def place(body: Ints, point: Floats) -> tuple[Floats, Floats]:
            return carried(placed, body, point, ahead)

        air, field = self._air(sample, at, place), self._field(sample, at, place)
        if air is not None:
            loads = loads._replace(air_density=np.array([density]), air=air)
            if sample.buoyancy:
                gravity = loads.gravity if loads.gravity.ndim == 1 else loads.gravity[self._plant_of_bodies]
                lift = -density * self._model.body_volume[:, None] * gravity
                applied["force"] = applied.get("force", 0.0) + lift
        if field is not None:
            loads = loads._replace(field=field)
        if sample.pose is not None:
            loads = loads._replace(pose=self._pose(finite("pose", sample.pose, (self._model.rod_count, 4))))
        return loads._replace(**applied, applied=any(bool(values.any()) for values in applied.values()))

    def _each(self, name: str, values: ArrayLike, shape: tuple[int, ...], least: float = -LARGEST) -> Floats:
        """Numbers of this shape for all plants, or a row of them for each."""
        plants = int(self._plant_of_bodies[-1]) + 1
        rows = plants > 1 and np.ndim(values) > len(shape)
        if not rows and not shape:
            return np.array(number(name, values, least, LARGEST))
        return finite(name, values, (plants, *shape) if rows else shape, least, LARGEST)

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
