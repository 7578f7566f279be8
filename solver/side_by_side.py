# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations as one that advances all their plants together, on all cores, to the bits that each alone would give.

They stay as they are: their states are copied in, and parts of the whole's snapshots restore them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .base.arrays import Floats, Ints
from .base.errors import SolverError
from .model.model import State
from .simulation import Report, Simulation, Snapshot
from .world.base_motion import MovingBase
from .world.load_interval import loads_of_bodies, pose_of
from .world.loads import AS_DRAWN, Loads, Sample

#: Fields of Loads with a row for every body, panel or pull.
_ROWS = ("force", "torque", "twist", "air", "pull_point", "pull_target", "pull_stiffness", "pull_damping")


def can_go_together(one: Sample, other: Sample) -> bool:
    """Whether plants in these two worlds can be advanced in one: in the same air at the same time, and in no field."""
    same_air = one.wind is other.wind or (type(one.wind) is type(other.wind) and bool(np.all(one.wind == other.wind)))
    same_time = (one.time, one.air_density, one.buoyancy) == (other.time, other.air_density, other.buoyancy)
    return same_air and same_time and one.force_field is None and other.force_field is None


class SideBySide:
    """Several simulations that go on together."""

    def __init__(self, simulations: Sequence[Simulation]):
        """From where they are. Raises SolverError where their settings or times differ or one has not been started."""
        settings, snapshots = {one.settings for one in simulations}, [one.snapshot() for one in simulations]
        if len(settings) != 1 or len({one.time for one in simulations}) != 1:
            raise SolverError("simulations go on together with the same settings and from the same time only")
        self._models = [one.model for one in simulations]
        self._plants = np.cumsum([0] + [one.plant_count for one in simulations])
        self._bodies = np.cumsum([0] + [model.body_count for model in self._models])
        self._panels = np.cumsum([0] + [len(model.panels.rod) for model in self._models])
        self._rods = np.cumsum([0] + [model.rod_count for model in self._models])
        self.whole = Simulation([model for one in simulations for model in one.models], settings.pop())
        self.whole.set_rest(np.concatenate([one.rest() for one in simulations]))
        self.whole.restore(self._joined(snapshots))

    def advance(self, samples: Sequence[Sample], duration: float) -> list[Report]:
        """Move on by duration (s) to the worlds of the samples, one for each simulation, which must go together.

        Returns how it went for each. Raises SolverError for bad input, which changes nothing.
        """
        if not all(can_go_together(samples[0], one) for one in samples[1:]):
            raise SolverError("plants can go on together in the same air only")
        self.whole.advance(self._sample(samples), duration)
        return [self.whole.report_of(*ends) for ends in self._pairs(self._plants)]

    def rod_orientations(self) -> list[Floats]:
        """(m, 4) of each simulation, as Simulation.rod_orientations has them."""
        return np.split(self.whole.rod_orientations(), self._rods[1:-1])

    def snapshots(self) -> list[Snapshot]:
        """The present of each simulation, to be restored by it."""
        now = self.whole.snapshot()
        state, loads, bases = now.state, now.loads, now.bases
        found = []
        for k, (bodies, plants) in enumerate(zip(self._pairs(self._bodies), self._pairs(self._plants), strict=True)):
            per_plant = {"last_steps", "energy_bound"}
            own = {
                name: value[slice(*(plants if name in per_plant else bodies))].copy()
                for name, value in state._asdict().items()
            }
            base = MovingBase(*(part[slice(*plants)].copy() for part in bases))
            panels = slice(int(self._panels[k]), int(self._panels[k + 1]))
            found.append(Snapshot(State(**own), _part(loads, slice(*bodies), panels, plants[0]), base, now.time))
        return found

    @staticmethod
    def _pairs(ends: Ints) -> list[tuple[int, int]]:
        return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))

    def _joined(self, snapshots: list[Snapshot]) -> Snapshot:
        each = [one.loads for one in snapshots]
        posed = any(one.is_posed for one in each)
        counts = np.diff(self._plants)
        loads = Loads(
            gravity=np.concatenate([np.broadcast_to(one.gravity, (k, 3)) for one, k in zip(each, counts, strict=True)]),
            stiffness_scale=self._per_plant([one.stiffness_scale for one in each]),
            air_density=self._per_plant([one.air_density for one in each]),
            **{name: np.concatenate([getattr(one, name) for one in each]) for name in _ROWS},
            pull_body=np.concatenate([
                np.where(one.pull_body >= 0, one.pull_body + first, -1)
                for one, first in zip(each, self._bodies[:-1], strict=True)
            ]),
            applied=any(one.applied for one in each),
            field=np.concatenate([one.field for one in each]),
            pose=np.concatenate([pose_of(one) for one in each]) if posed else AS_DRAWN,
        )  # fmt: skip
        state = State(*(np.concatenate(parts) for parts in zip(*(one.state for one in snapshots), strict=True)))
        bases = MovingBase(*(np.concatenate(parts) for parts in zip(*(one.bases for one in snapshots), strict=True)))
        return Snapshot(state, loads, bases, snapshots[0].time)

    def _per_plant(self, values: Sequence[Any]) -> Floats:
        """(plants,) of one number, or one for every plant, of each simulation."""
        counts = np.diff(self._plants)
        return np.concatenate([np.broadcast_to(one, (k,)) for one, k in zip(values, counts, strict=True)])

    def _sample(self, samples: Sequence[Sample]) -> Sample:
        """The worlds of all as one. Its numbers are checked by whoever takes it."""
        rods = np.diff(self._rods).tolist()

        def per_plant(name: str, k: int) -> Floats:
            values = [getattr(one, name) for one in samples]
            if len(values) == self.whole.plant_count and all(np.size(one) == k for one in values):
                return np.array(values, dtype=np.float64).reshape(-1, k)  # the commonest case, much faster
            rows = [np.reshape(one, (-1, k)) for one in values]
            counts = np.diff(self._plants).tolist()
            return np.concatenate([np.broadcast_to(row, (n, k)) for row, n in zip(rows, counts, strict=True)])

        def per_rod(name: str, nothing: Floats) -> Floats | None:
            given = [getattr(one, name) for one in samples]
            if all(one is None for one in given):
                return None
            rows = [nothing if one is None else one for one in given]
            return np.concatenate(
                [np.broadcast_to(row, (m, *nothing.shape)) for row, m in zip(rows, rods, strict=True)]
            )

        wind = samples[0].wind
        if wind is not None and not callable(wind) and np.ndim(wind) > 1:
            wind = np.concatenate([np.asarray(one.wind) for one in samples])
        pulls = [(one, rod) for one, rod in zip(samples, self._rods[:-1], strict=True) if np.size(one.pull_rod)]

        def pulled(name: str) -> ArrayLike:
            return np.concatenate([np.asarray(getattr(one, name)) for one, _ in pulls]) if pulls else ()

        return replace(
            samples[0],
            base_position=per_plant("base_position", 3),
            base_orientation=per_plant("base_orientation", 4),
            gravity=per_plant("gravity", 3),
            stiffness_scale=per_plant("stiffness_scale", 1)[:, 0],
            pose=per_rod("pose", np.array([1.0, 0.0, 0.0, 0.0])),
            force=per_rod("force", np.zeros(3)),
            torque=per_rod("torque", np.zeros(3)),
            twist=per_rod("twist", np.zeros(())),
            wind=wind,
            pull_rod=np.concatenate([np.asarray(one.pull_rod) + rod for one, rod in pulls]) if pulls else (),
            pull_along=pulled("pull_along"),
            pull_target=pulled("pull_target"),
            pull_stiffness=pulled("pull_stiffness"),
            pull_damping=pulled("pull_damping"),
        )


def _part(loads: Loads, bodies: slice, panels: slice, plant: int) -> Loads:
    """What acts on these bodies and panels, of one simulation, whose first plant this is."""
    own = loads_of_bodies(loads, bodies, panels, plant)
    applied = any(bool(values.any()) for values in (own.force, own.torque, own.twist))
    return own._replace(applied=applied, pose=loads.pose[bodies] if _is_turned(loads.pose[bodies]) else AS_DRAWN)


def _is_turned(pose: Floats) -> bool:
    return bool(pose[:, 1:].any())
