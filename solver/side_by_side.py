# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations as one that advances all their plants together, on all cores, to the bits that each alone would give.

They stay as they are: their states are copied in, and parts of the whole's snapshots restore them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .base.arrays import Floats, Ints
from .base.errors import SolverError
from .joined_samples import Counts, joined_samples
from .sampling import touches_anything
from .simulation import Report, Simulation
from .snapshot import Snapshot
from .split import Split, pairs
from .world.sample import Sample


def can_go_together(one: Sample, other: Sample) -> bool:
    """Whether plants in these two worlds can be advanced in one: in the same air at the same time, both in a force
    field or neither, and touching nothing."""
    same_air = one.wind is other.wind or _equal(one.wind, other.wind)
    same_time = (one.time, one.air_density, one.buoyancy) == (other.time, other.air_density, other.buoyancy)
    touch_nothing = not touches_anything(one) and not touches_anything(other)
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
        self._split = Split([one.model for one in simulations], [one.plant_count for one in simulations])
        self._counts = [Counts.of(one.plant_count, one.model) for one in simulations]
        self.whole = Simulation([model for one in simulations for model in one.models], settings.pop())
        self.whole.set_rest(np.concatenate([one.rest() for one in simulations]))
        self.whole.restore(self._split.together(snapshots))

    def advance(self, samples: Sequence[Sample], duration: float) -> list[Report]:
        """Move on by duration (s) to the worlds of the samples, one for each simulation, which must go together.

        Returns how it went for each. Raises SolverError for bad input, which changes nothing.
        """
        if not all(can_go_together(samples[0], one) for one in samples[1:]):
            raise SolverError("plants can go on together in the same air only")
        self.whole.advance(joined_samples(samples, self._counts), duration)
        return [self.whole.report_of(*ends) for ends in pairs(self._split.plants)]

    def rod_orientations(self) -> list[Floats]:
        """(m, 4) of each simulation, as Simulation.rod_orientations has them."""
        return np.split(self.whole.rod_orientations(), self._split.rods[1:-1])

    def rod_heads(self) -> list[Floats]:
        """(m, 3) m of each simulation, as Simulation.rod_heads has them."""
        return np.split(self.whole.rod_heads(), self._split.rods[1:-1])

    def broken(self) -> list[Ints]:
        """(m,) of each simulation, as Simulation.broken has them."""
        return np.split(self.whole.broken(), self._split.rods[1:-1])

    def snapshots(self) -> list[Snapshot]:
        """The present of each simulation, to be restored by it."""
        return self._split.apart(self.whole.snapshot())
