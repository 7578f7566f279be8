# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be asked of solids that plants grow around; `environment.solids` answers it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from .arrays import Floats


class AskedTooMuch(Exception):
    """It would take too long to find what is nearest to all that is asked for in a derivation."""


@dataclass(frozen=True)
class Answer:
    """What is known of n places."""

    distance: Floats
    """(n) how far away the surface is, below 0 within a solid."""
    nearest: Floats
    """(n, 3) the nearest place of the surface."""
    away: Floats
    """(n, 3) the direction of length 1 that leads straight away from the surface there, out of the solid."""


class Surface(ABC):
    """The surface of solids, in the units of the text."""

    is_own: bool
    """Whether they are the text's own, and not of a scene."""
    asked = 0
    """For how many places it has been asked in this derivation."""

    @abstractmethod
    def answer(self, places: Floats) -> Answer:
        """What is to be known of places (n, 3). Raises `AskedTooMuch`."""
