# SPDX-License-Identifier: GPL-3.0-or-later
"""What was refused last of each object and can be mended by a click, for the panel to offer that."""

import bpy

from ..errors import PlantError

#: By the object's session_uid, which outlives renaming and undo.
_refusals: dict[int, PlantError] = {}


def remember(error: Exception) -> None:
    """Keep an error that has a fix."""
    if isinstance(error, PlantError) and error.fix is not None:
        _refusals[error.fix.uid] = error


def refusal_of(obj: bpy.types.Object) -> PlantError | None:
    """The error that was last kept of the object."""
    return _refusals.get(obj.session_uid)


def forget(obj: bpy.types.Object) -> None:
    """What was refused has been accepted since."""
    _refusals.pop(obj.session_uid, None)


def forget_all() -> None:
    """The file is being left."""
    _refusals.clear()
