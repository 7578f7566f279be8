# SPDX-License-Identifier: GPL-3.0-or-later
"""How far away solids are, for texts whose expressions cannot ask themselves, as those of cpfg."""

from dataclasses import dataclass

from ..base.arrays import Floats
from .kinds import Environment, Sent
from .solids.solids import Solids

_AN_ANSWER = 700
"""What an answer takes, in modules that are replaced over arrays."""


@dataclass(frozen=True)
class Nearness(Environment):
    """A module `?E(d, x, y, z)` is told the distance of the nearest surface, below 0 within a solid, and the direction
    straight away from it."""

    solids: Solids | None = None

    needs_solids = True

    def among(self, solids: Solids | None) -> Environment:
        """The same among solids."""
        return Nearness(solids)

    def cost(self, places: Floats) -> int:
        """By what it takes to find the nearest triangle of many."""
        return _AN_ANSWER * len(places)

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """Distance and direction."""
        assert self.solids is not None  # texts that ask are not derived without
        answer = self.solids.answer(places)
        return [(d, *away) for d, away in zip(answer.distance.tolist(), answer.away.tolist(), strict=True)]
