# SPDX-License-Identifier: GPL-3.0-or-later
"""From a Sample, given per rod, to what the kernels take, per body; everything that comes in is checked here."""

import numpy as np

from .errors import SolverError
from .loads import Loads, Sample, finite, new_loads
from .model import Floats, Ints, Model


class LoadConverter:
    """Turns Samples into Loads for one model."""

    def __init__(self, model: Model):
        self._model = model
        self._movable = np.flatnonzero(model.upper >= 0)
        self._carrier = model.upper[self._movable]

    def __call__(self, sample: Sample) -> Loads:
        """Per body what the sample gives per rod. Raises SolverError for numbers of no use."""
        m, k = self._model.rod_count, np.size(sample.pull_rod)
        loads = new_loads(self._model.body_count, k)
        loads.gravity[:] = finite("gravity", sample.gravity, (3,))
        loads.stiffness_scale[0] = finite("stiffness_scale", sample.stiffness_scale, (1,))[0]
        if loads.stiffness_scale[0] < 0.0:
            raise SolverError("stiffness_scale must not be negative")
        for name, target, shape in (
            ("force", loads.force, (m, 3)), ("torque", loads.torque, (m, 3)), ("twist", loads.twist, (m,)),
        ):  # fmt: skip
            values = getattr(sample, name)
            if values is not None:
                np.add.at(target, self._carrier, finite(name, values, shape)[self._movable])
        if k > 0:
            loads.pull_body[:], loads.pull_point[:] = self._pulled_points(sample, k)
            loads.pull_target[:] = finite("pull_target", sample.pull_target, (k, 3))
            loads.pull_stiffness[:] = np.maximum(finite("pull_stiffness", sample.pull_stiffness, (k,)), 0.0)
            loads.pull_damping[:] = np.maximum(finite("pull_damping", sample.pull_damping, (k,)), 0.0)
        return loads

    def _pulled_points(self, sample: Sample, k: int) -> tuple[Ints, Floats]:
        """(k,) bodies and (k, 3) points in their frames of the places on the rods that are pulled."""
        model = self._model
        along = finite("pull_along", sample.pull_along, (k,))
        rod = np.asarray(sample.pull_rod, dtype=np.int64).reshape(-1)
        if ((rod < 0) | (rod >= model.rod_count)).any():
            raise SolverError(f"pull_rod must be between 0 and {model.rod_count - 1}")
        welded = model.joint[rod] < 0
        bend_at = np.where(welded, 1.0, 1.0 - model.bend_share[rod])  # the joint's place on the rod
        below = welded | (along < bend_at)
        head, tail = model.head[rod], model.tail[rod]
        joint = np.where(welded[:, None], tail, model.bodies.offset[model.joint[rod]])  # in the lower body
        with np.errstate(divide="ignore", invalid="ignore"):  # whichever end has no length is not chosen
            on_lower = head + (along / bend_at)[:, None] * (joint - head)
            on_upper = ((along - bend_at) / (1.0 - bend_at))[:, None] * tail
        return np.where(below, model.lower[rod], model.upper[rod]), np.where(below[:, None], on_lower, on_upper)


def base_pose(sample: Sample) -> tuple[Floats, Floats]:
    """Position (3,) and unit quaternion (4,) of the sample's base."""
    orientation = finite("base_orientation", sample.base_orientation, (4,))
    norm = float(np.sqrt(orientation @ orientation))
    if norm < 1e-6:
        raise SolverError("base_orientation is not a rotation")
    return finite("base_position", sample.base_position, (3,)), orientation / norm
