# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a turtle stood when a part of a string was cut, so that this is drawn there from elsewhere in the string."""

from dataclasses import dataclass
from typing import Any

from .quaternions import Vector


@dataclass(frozen=True)
class SavedTurtle:
    """A turtle as it was."""

    place: Vector
    """In units, z up."""
    heading: Vector
    """Unit vector."""
    up: Vector
    """Unit vector, at a right angle to the heading."""
    counted: tuple[Any, ...]
    """What the notation's own turtle counts itself: widths, colours and so on."""
    state: Any = None
    """The turtle itself of the notation that is told where it is."""
