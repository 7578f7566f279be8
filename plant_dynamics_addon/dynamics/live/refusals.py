# SPDX-License-Identifier: GPL-3.0-or-later
"""What was refused last of each object and can be mended by a click, for the panel to offer that."""

import bpy

from ...errors import PlantError
from ...memory import Memory

_refusals: Memory[PlantError] = Memory()


def remember(error: Exception) -> None:
    """Keep an error that has a fix."""
    if isinstance(error, PlantError) and error.fix is not None:
        _refusals[error.fix.uid] = error


def refusal_of(obj: bpy.types.Object) -> PlantError | None:
    """The error that was last kept of the object."""
    return _refusals.of(obj)


def forget(obj: bpy.types.Object) -> None:
    """What was refused has been accepted since."""
    _refusals.forget(obj)
