# SPDX-License-Identifier: GPL-3.0-or-later
"""What every environment is asked."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..base.arrays import Floats
from .solids.solids import Solids

Sent = Sequence[Sequence[float]]
"""By module that asks: its parameters."""

_AN_ANSWER = 100


class Environment(ABC):
    """Answers the modules `?E` of a whole string at once."""

    needs_solids = False
    """Whether it has no answer without solids."""

    def among(self, solids: Solids | None) -> "Environment":
        """The same environment where these solids stand, in units of the text."""
        return self

    def cost(self, places: Floats) -> int:
        """What it takes to answer at places (n, 3), in modules that are replaced over arrays."""
        return _AN_ANSWER * len(places)

    @abstractmethod
    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """What each module is told, which goes into its first parameters.

        places: (n, 3) where they are, in units of the text, z up. An empty answer leaves the parameters as they are.
        """


def first_of(sent: Sent, default: float) -> list[float]:
    """The first parameter of each module that asks."""
    return [parameters[0] if parameters else default for parameters in sent]
