# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames cut into shorter ones where a force field is steep.

A field is read once a frame, where bodies will be if they go on as they are, and followed from there along its tangent.
After the frame it is looked at again, where they are and where they were halfway. If it differs there from what it was
taken for by more than moves a body by the settings' tolerance, a share of the plant's size as in steps, the plant goes
through the frame again in halves, and through these in theirs; the others stay. Bases go along the path that they have
through the frame. All loads but wind and field, and what plants touch, have to stay as they are: else, and where halves
are as short as they may get, the frame is COARSE. In all parts of a frame the field is that of its end.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .base.arrays import Bools, Floats, Ints2
from .base.checks import finite
from .contact.obstacles import NO_COLLIDERS
from .dynamics.kinematics import carried
from .dynamics.stability import COARSE
from .forces.force_field import moving_accelerations, places_in_field
from .forces.loads import NO_AIR, NO_FIELD, Loads
from .sampling import touches_anything
from .snapshot import Snapshot
from .split import Split
from .world.base_motion import MovingBase
from .world.halved_path import HalvedPath
from .world.sample import Sample

if TYPE_CHECKING:
    from .simulation import Simulation

#: Frames are halved so often at most.
MOST_HALVINGS = 9


class FinerFrames:
    """Plants on their way through frames with a field; reports (systems, 5): as of Report, which each frame fills."""

    def __init__(self, plants: "Simulation", reports: Ints2):
        self._plants, self._reports = plants, reports
        self._split = Split(plants.systems)
        self._body = np.repeat(np.arange(plants.model.body_count), 2)
        self._place = places_in_field(plants.model.bodies)

    def advance(self, sample: Sample, duration: float) -> None:
        """Go through a frame of duration (s) to the world of a sample with a field."""
        self._through(sample, duration, np.full(self._plants.system_count, True), 0)

    def _through(self, sample: Sample, duration: float, asked: Bools, halvings: int) -> None:
        """Go through a part of a frame, those that are asked (systems,) in halves where they have to."""
        plants, reports = self._plants, self._reports
        start = plants.snapshot()
        strays = self._goes_astray(sample, duration) & asked
        if not strays.any():
            return
        whole = plants.snapshot()
        halved = strays & self._stays(start, whole) & (halvings < MOST_HALVINGS)
        if halved.any() and touches_anything(sample):
            halved[:] = True  # what touches is in one frame with all
        reports[strays & ~halved, 0] = np.maximum(reports[strays & ~halved, 0], COARSE)
        if not halved.any():
            return
        told, path = reports.copy(), HalvedPath(start.bases, whole.bases, duration)
        first = sample
        if not path.stands:
            position, orientation = path.middle
            first = replace(first, base_position=position, base_orientation=orientation)
        if sample.time is not None:
            first = replace(first, time=sample.time - 0.5 * duration)
        plants.restore(replace(start, bases=path.to_middle()))
        self._through(first, 0.5 * duration, halved, halvings + 1)
        before = reports.copy()
        self._lead(path.to_end)
        self._through(sample, 0.5 * duration, halved, halvings + 1)
        self._lead(path.arrived)
        reports[:, 4] = np.where(before[:, 0] > reports[:, 0], before[:, 4], reports[:, 4])
        reports[:, 0] = np.maximum(before[:, 0], reports[:, 0])
        reports[:, 1:4] += before[:, 1:4]
        if not halved.all():
            reports[~halved] = told[~halved]
            parts = zip(halved, self._split.apart(plants.snapshot()), self._split.apart(whole), strict=True)
            plants.restore(self._split.together([finer if is_halved else one for is_halved, finer, one in parts]))

    def _goes_astray(self, sample: Sample, duration: float) -> Bools:
        """Advance in one go. (systems,) whether that took the field for another than it is."""
        plants = self._plants
        x_0, v_0 = carried(plants.placed(), self._body, self._place, 0.0)
        plants.go_on(sample, duration)
        x_1, v_1 = carried(plants.placed(), self._body, self._place, 0.0)
        # Halfway on the cubic through both ends.
        x, v = 0.5 * (x_0 + x_1) + 0.125 * duration * (v_0 - v_1), 1.5 / duration * (x_1 - x_0) - 0.25 * (v_0 + v_1)
        time = plants.time if sample.time is None else sample.time
        at_end = self._differs(sample, x_1, v_1, time)
        halfway = 0.5 * self._differs(sample, x, v, time - 0.5 * duration)  # where half of it has come
        off = np.zeros(plants.system_count)
        np.maximum.at(off, plants.system_of_bodies[self._body], np.maximum(at_end, halfway))
        return off * duration**2 / 6.0 > plants.settings.tolerance * plants.sizes

    def _differs(self, sample: Sample, points: Floats, velocities: Floats, time: float) -> Floats:
        """(2 n,) m/s2 by which the sample's field is another there than its last readings say."""
        assert sample.force_field is not None
        field = finite("force_field", sample.force_field(points, velocities, time), points.shape)
        return np.linalg.norm(field - moving_accelerations(self._plants.loads.field, points, velocities), axis=1)

    def _lead(self, as_they_go: Callable[[MovingBase], MovingBase]) -> None:
        """Let the bases be others."""
        now = self._plants.snapshot()
        self._plants.restore(replace(now, bases=as_they_go(now.bases)))

    def _stays(self, start: Snapshot, end: Snapshot) -> Bools:
        """(systems,) whether all loads but wind and field, and all colliders, are what they were at the start."""
        ends = [self._split.loads_apart(_lasting(one.loads)) for one in (start, end)]
        stays = [_are_equal(one, other) for one, other in zip(*ends, strict=True)]
        return np.array(stays) & _are_equal(_places(start), _places(end))


def _places(snapshot: Snapshot) -> tuple[Floats, ...]:
    """All that is known of colliders, but how they went: what is where it was has stood."""
    return tuple(snapshot.colliders._replace(motion=NO_COLLIDERS.motion, flow=NO_COLLIDERS.flow))


def _lasting(loads: Loads) -> Loads:
    return loads._replace(air=NO_AIR, field=NO_FIELD)


def _are_equal(one: Floats | tuple[Floats, ...], other: Floats | tuple[Floats, ...]) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(map(_are_equal, one, other))
    return np.array_equal(one, other)
