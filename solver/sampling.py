# SPDX-License-Identifier: GPL-3.0-or-later
"""From a Sample, given per rod, to what the kernels take, per body; everything that comes in is checked here."""

import numpy as np
from numpy.typing import ArrayLike

from .errors import SolverError
from .kinematics import Placed
from .loads import Loads, Sample, finite, new_loads
from .model import Floats, Ints, Model
from .rotation import rotate


class LoadConverter:
    """Turns Samples into Loads for one model."""

    def __init__(self, model: Model):
        self._model = model
        self._movable = np.flatnonzero(model.upper >= 0)
        self._middle_moves = np.flatnonzero(model.middle >= 0)
        self._panel_body = np.repeat(np.arange(model.body_count), np.diff(model.panels.start))

    def __call__(self, sample: Sample, placed: Placed, time: float, ahead: float) -> Loads:
        """Per body what the sample gives per rod.

        placed: where the bodies are at the time (s); a wind field is read ahead (s) of it, where they will be if they
        go on as they are. Raises SolverError for numbers of no use.
        """
        model = self._model
        m, k = model.rod_count, np.size(sample.pull_rod)
        loads = new_loads(model.body_count, k, len(model.panels.rod))
        loads.gravity[:] = finite("gravity", sample.gravity, (3,))
        loads.stiffness_scale[0] = finite("stiffness_scale", sample.stiffness_scale, (1,))[0]
        if loads.stiffness_scale[0] < 0.0:
            raise SolverError("stiffness_scale must not be negative")
        for name, target, shape, carrier, rods in (
            ("force", loads.force, (m, 3), model.middle, self._middle_moves),
            ("torque", loads.torque, (m, 3), model.middle, self._middle_moves),
            ("twist", loads.twist, (m,), model.upper, self._movable),
        ):
            values = getattr(sample, name)
            if values is not None:
                np.add.at(target, carrier[rods], finite(name, values, shape)[rods])
        if sample.wind is not None:
            self._fill_air(loads, sample, placed, time, ahead)
        if k > 0:
            loads.pull_body[:], loads.pull_point[:] = self._pulled_points(sample, k)
            loads.pull_target[:] = finite("pull_target", sample.pull_target, (k, 3))
            loads.pull_stiffness[:] = np.maximum(finite("pull_stiffness", sample.pull_stiffness, (k,)), 0.0)
            loads.pull_damping[:] = np.maximum(finite("pull_damping", sample.pull_damping, (k,)), 0.0)
        given = [values is not None for values in (sample.force, sample.torque, sample.twist)]
        return loads._replace(applied=any(given) or (sample.buoyancy and sample.wind is not None))

    def _fill_air(self, loads: Loads, sample: Sample, placed: Placed, time: float, ahead: float) -> None:
        """The air's velocity at every panel, and buoyancy."""
        model = self._model
        density = finite("air_density", sample.air_density, (1,))
        if density[0] < 0.0:
            raise SolverError("air_density must not be negative")
        loads.air_density[:] = density
        if callable(sample.wind):
            at = time + ahead if sample.time is None else float(sample.time)
            arm = rotate(placed.orientation[self._panel_body], model.panels.center)
            points = placed.position[self._panel_body] + arm
            velocity = placed.velocity[self._panel_body] + np.cross(placed.omega[self._panel_body], arm)
            points += ahead * velocity
            loads.air[:] = finite("wind", sample.wind(points, at), (len(points), 3))
        elif np.size(sample.wind) == 3:
            loads.air[:] = finite("wind", np.reshape(np.asarray(sample.wind, dtype=np.float64), 3), (3,))
        else:
            loads.air[:] = finite("wind", sample.wind, (model.rod_count, 3))[model.panels.rod]
        if sample.buoyancy:
            loads.force[:] -= density[0] * model.body_volume[:, None] * loads.gravity

    def _pulled_points(self, sample: Sample, k: int) -> tuple[Ints, Floats]:
        """(k,) bodies and (k, 3) points in their frames of the places on the rods that are pulled."""
        along = finite("pull_along", sample.pull_along, (k,))
        rod = np.asarray(sample.pull_rod, dtype=np.int64).reshape(-1)
        if ((rod < 0) | (rod >= self._model.rod_count)).any():
            raise SolverError(f"pull_rod must be between 0 and {self._model.rod_count - 1}")
        return points_on_rods(self._model, rod, along)


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
    """Positions (plants, 3) and unit quaternions (plants, 4) of the sample's bases."""
    position, orientation = _per_plant(sample.base_position, plants, 3), _per_plant(sample.base_orientation, plants, 4)
    position = finite("base_position", position, (plants, 3))
    orientation = finite("base_orientation", orientation, (plants, 4))
    norm = np.sqrt((orientation * orientation).sum(axis=1))
    if (norm < 1e-6).any():
        raise SolverError("base_orientation is not a rotation")
    return position, orientation / norm[:, None]


def _per_plant(values: ArrayLike, plants: int, k: int) -> ArrayLike:
    """One row of k numbers for every plant; one row alone is that of all."""
    array = np.asarray(values, dtype=np.float64)
    return np.broadcast_to(array.reshape(-1), (plants, k)) if array.size == k and plants > 1 else array
