# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of plants that go side by side, taken apart into those of some of them, and put together again."""

from collections.abc import Sequence

import numpy as np

from .base.arrays import Ints
from .dynamics.breaking import Broken, broken_of
from .forces.loads import Loads, joined_loads
from .model.model import Model, State
from .snapshot import Snapshot
from .world.base_motion import MovingBase

_PER_PLANT = {"last_steps", "energy_bound"}


class Split:
    """Which plants, bodies, panels and rods are whose, of parts that touch nothing."""

    def __init__(self, models: Sequence[Model], plants: Sequence[int] | None = None):
        """models: of all plants of each part; plants: how many these are, one each if not given."""
        self.plants = _ends([1] * len(models) if plants is None else plants)
        self.bodies = _ends([model.body_count for model in models])
        self.panels = _ends([len(model.panels.rod) for model in models])
        self.rods = _ends([model.rod_count for model in models])

    def apart(self, whole: Snapshot) -> list[Snapshot]:
        """Each part's, copies."""
        found, loads = [], self.loads_apart(whole.loads)
        for (bodies, plants), own_loads in zip(self._of(self.bodies, self.plants), loads, strict=True):
            state = {
                name: value[slice(*(plants if name in _PER_PLANT else bodies))].copy()
                for name, value in whole.state._asdict().items()
            }
            base = MovingBase(*(part[slice(*plants)].copy() for part in whole.bases))
            broken = broken_of(whole.broken, plants, bodies)
            found.append(Snapshot(State(**state), own_loads, base, whole.time, broken))
        return found

    def loads_apart(self, whole: Loads) -> list[Loads]:
        """Each part's loads."""
        return [
            whole.on(*(slice(*ends) for ends in own))
            for own in self._of(self.plants, self.bodies, self.panels, self.rods)
        ]

    def together(self, parts: Sequence[Snapshot]) -> Snapshot:
        """One of all parts, which are at the same time."""
        state = State(*(np.concatenate(each) for each in zip(*(one.state for one in parts), strict=True)))
        bases = MovingBase(*(np.concatenate(each) for each in zip(*(one.bases for one in parts), strict=True)))
        loads = joined_loads([one.loads for one in parts], self.bodies, self.panels, self.rods)
        broken = Broken(*(np.concatenate(each) for each in zip(*(one.broken for one in parts), strict=True)))
        return Snapshot(state, loads, bases, parts[0].time, broken)

    @staticmethod
    def _of(*ends: Ints) -> list[tuple[tuple[int, int], ...]]:
        """For each part where it begins and ends in each of these."""
        return list(zip(*(pairs(one) for one in ends), strict=True))


def pairs(ends: Ints) -> list[tuple[int, int]]:
    """Where each part begins and ends, of (parts + 1,) ends."""
    return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))


def _ends(counts: Sequence[int]) -> Ints:
    return np.cumsum([0, *counts])
