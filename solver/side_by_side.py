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
from .base.checks import finite
from .base.errors import SolverError
from .dynamics.breaking import Broken, broken_of
from .forces.loads import joined_loads
from .model.model import State
from .simulation import Report, Simulation, Snapshot
from .world.base_motion import MovingBase
from .world.sample import PER_PLANT, PER_PULL, PER_ROD, ForceField, Sample


class _EachItsOwn:
    """Fields of simulations side by side as one: each is asked for its own points only, to the same bits as alone."""

    def __init__(self, fields: Sequence[Any], counts: Ints):
        self._fields, self._ends, self._all = fields, np.cumsum(counts)[:-1], int(counts.sum())

    def __call__(self, points: Floats, *rest: Any) -> Floats:
        """At points (k, 3), which are those of all simulations once or several times over."""

        def parts(values: Floats) -> list[Floats]:
            return np.split(values.reshape(-1, self._all, 3), self._ends, axis=1)

        asked = [parts(points), *(parts(one) for one in rest[:-1])]
        found = [
            finite("a field", field(*(one.reshape(-1, 3) for one in own), rest[-1]), own[0].reshape(-1, 3).shape)
            for field, own in zip(self._fields, zip(*asked, strict=True), strict=True)
        ]
        times = len(points) // self._all
        return np.concatenate([one.reshape(times, -1, 3) for one in found], axis=1).reshape(-1, 3)


def can_go_together(one: Sample, other: Sample) -> bool:
    """Whether plants in these two worlds can be advanced in one: in the same air at the same time, both in a force
    field or neither, and touching nothing."""
    same_air = one.wind is other.wind or _equal(one.wind, other.wind)
    same_time = (one.time, one.air_density, one.buoyancy) == (other.time, other.air_density, other.buoyancy)
    touch_nothing = not any(sample.colliders or sample.touches_itself for sample in (one, other))
    return touch_nothing and same_air and same_time and (one.force_field is None) == (other.force_field is None)


def _equal(one: Any, other: Any) -> bool:
    if one is None or other is None or callable(one) or callable(other):
        return type(one) is type(other) and bool(one == other)
    return np.shape(one) == np.shape(other) and bool(np.all(np.asarray(one) == np.asarray(other)))


class SideBySide:
    """Several simulations that go on together."""

    def __init__(self, simulations: Sequence[Simulation]):
        """From where they are. Raises SolverError where their settings or times differ or one has not been started."""
        settings, snapshots = {one.settings for one in simulations}, [one.snapshot() for one in simulations]
        if len(settings) != 1 or len({one.time for one in simulations}) != 1:
            raise SolverError("simulations go on together with the same settings and from the same time only")
        if any(one.system_count < one.plant_count for one in simulations):
            raise SolverError("plants that touch each other cannot go on with others")
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

    def rod_heads(self) -> list[Floats]:
        """(m, 3) m of each simulation, as Simulation.rod_heads has them."""
        return np.split(self.whole.rod_heads(), self._rods[1:-1])

    def broken(self) -> list[Ints]:
        """(m,) of each simulation, as Simulation.broken has them."""
        return np.split(self.whole.broken(), self._rods[1:-1])

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
            own_loads, broken = loads.on(slice(*plants), slice(*bodies), panels), broken_of(now.broken, plants, bodies)
            found.append(Snapshot(State(**own), own_loads, base, now.time, broken))
        return found

    @staticmethod
    def _pairs(ends: Ints) -> list[tuple[int, int]]:
        return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))

    def _joined(self, snapshots: list[Snapshot]) -> Snapshot:
        state = State(*(np.concatenate(parts) for parts in zip(*(one.state for one in snapshots), strict=True)))
        bases = MovingBase(*(np.concatenate(parts) for parts in zip(*(one.bases for one in snapshots), strict=True)))
        loads = joined_loads([one.loads for one in snapshots], self._bodies, self._panels)
        broken = Broken(*(np.concatenate(parts) for parts in zip(*(one.broken for one in snapshots), strict=True)))
        return Snapshot(state, loads, bases, snapshots[0].time, broken)

    def _field(self, fields: Sequence[Any]) -> ForceField | None:
        return None if fields[0] is None else _EachItsOwn(fields, 2 * np.diff(self._bodies))

    def _sample(self, samples: Sequence[Sample]) -> Sample:
        """The worlds of all as one. Its numbers are checked by whoever takes it."""
        plants, rods, first_rod = np.diff(self._plants), np.diff(self._rods), self._rods[:-1]

        def of_plants(name: str, k: int) -> Floats:
            values = [getattr(one, name) for one in samples]
            if len(values) == self.whole.plant_count and all(np.size(one) == k for one in values):
                return np.array(values, dtype=np.float64).reshape(-1, k)  # the commonest case, much faster
            return _rows([np.reshape(one, (-1, k)) for one in values], plants, (k,))

        def of_rods(name: str, nothing: ArrayLike) -> Floats | None:
            given = [getattr(one, name) for one in samples]
            if all(one is None for one in given):
                return None
            return _rows([nothing if one is None else one for one in given], rods, np.shape(nothing))

        wind = samples[0].wind
        if wind is not None and not callable(wind) and np.ndim(wind) > 1:
            wind = np.concatenate([np.asarray(one.wind) for one in samples])
        joined: dict[str, Any] = {name: of_plants(name, k) for name, k in PER_PLANT.items()}
        joined["stiffness_scale"] = joined["stiffness_scale"][:, 0]
        joined |= {name: of_rods(name, nothing) for name, nothing in PER_ROD.items()}
        joined |= {"wind": wind, "force_field": self._field([one.force_field for one in samples]), "pull_rod": ()}
        joined |= dict.fromkeys(PER_PULL, ())
        pulls = [(one, rod) for one, rod in zip(samples, first_rod, strict=True) if np.size(one.pull_rod)]
        if pulls:
            joined["pull_rod"] = np.concatenate([np.asarray(one.pull_rod) + rod for one, rod in pulls])
            joined |= {name: np.concatenate([np.asarray(getattr(one, name)) for one, _ in pulls]) for name in PER_PULL}
        return replace(samples[0], **joined)


def _rows(values: Sequence[ArrayLike], counts: Ints, shape: tuple[int, ...]) -> Floats:
    """The values one after the other, each as many rows of a shape as it counts."""
    return np.concatenate([np.broadcast_to(one, (k, *shape)) for one, k in zip(values, counts.tolist(), strict=True)])
