# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders on which something that a plant moves is set down when it begins: nearer than their thickness, not in them.

All would fall through such a collider, for what overlaps as it begins is left alone. So it has no thickness, and what
lies on its faces stays there.
"""

from collections.abc import Sequence
from dataclasses import replace

from ....solver import Collider, Model, Sample, Simulation, left_alone
from ..surroundings.samples import ThingAt


class SetDown:
    """The colliders of a motion. A thing is set down on those of some names."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._thin: dict[int, tuple[Collider, Collider]] = {}

    def begin(self, things: Sequence[tuple[Model, ThingAt]], colliders: Sequence[Collider]) -> None:
        """Find out about the things where they begin, each a body of its own."""
        self._names, self._thin = frozenset(), {}
        thick = [one for one in colliders if one.margin > 0.0]
        if not things or not thick:
            return
        within = _overlapped(things, thick)
        inside = _overlapped(things, [replace(one, margin=0.0) for one in thick])
        self._names = frozenset(thick[j].name for j in {j for _, j in within - inside})

    def thinned(self, colliders: Sequence[Collider]) -> Sequence[Collider]:
        """The same, those on which things are set down without their thickness."""
        return tuple(map(self._without, colliders)) if self._names else colliders

    def _without(self, one: Collider) -> Collider:
        if one.name not in self._names:
            return one
        known = self._thin.get(id(one))
        if known is None or known[0] is not one:
            self._thin = {id(before): (before, thin) for before, thin in self._thin.values() if before.name != one.name}
            known = self._thin[id(one)] = one, replace(one, margin=0.0)
        return known[1]


def _overlapped(things: Sequence[tuple[Model, ThingAt]], colliders: Sequence[Collider]) -> set[tuple[int, int]]:
    """Things and colliders that they overlap, by where both are listed."""
    found = set()
    for k, (body, at) in enumerate(things):
        alone = Simulation(body)
        alone.start(Sample(at.position, at.orientation, colliders=list(colliders)), "drawn")
        found |= {(k, j) for _, j in left_alone(body, alone.snapshot()).tolist()}
    return found
