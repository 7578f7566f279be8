# SPDX-License-Identifier: GPL-3.0-or-later
"""What is remembered of objects until another file is loaded; all of it is forgotten by one call.

Objects are known by their session_uid, which outlives renaming and undo.
"""

from typing import Any, Generic, TypeVar

import bpy

from . import changes
from .changes import version

T = TypeVar("T")

_memories: list["Memory[Any]"] = []


class Memory(dict[int, T]):
    """Something of each of some objects."""

    def __init__(self) -> None:
        super().__init__()
        _memories.append(self)

    def of(self, obj: bpy.types.ID) -> T | None:
        """What is remembered of the object."""
        return self.get(obj.session_uid)

    def keep(self, obj: bpy.types.ID, value: T) -> T:
        """Remember this of the object, and return it."""
        self[obj.session_uid] = value
        return value

    def forget(self, obj: bpy.types.ID) -> None:
        """Remember nothing of the object."""
        self.pop(obj.session_uid, None)


class Measured(Generic[T]):
    """What was found out about objects, which holds until their settings are changed."""

    def __init__(self) -> None:
        self._found: Memory[tuple[int, T]] = Memory()

    def of(self, obj: bpy.types.ID) -> T | None:
        """What was found, unless the object has changed since."""
        asked, found = self._found.of(obj) or (-1, None)
        return found if asked == version(obj) else None

    def keep(self, obj: bpy.types.ID, value: T, asked: int | None = None) -> T:
        """Remember what was found of the object as it is, or as it was when it had this version."""
        self._found.keep(obj, (version(obj) if asked is None else asked, value))
        return value

    def forget(self, obj: bpy.types.ID) -> None:
        """Remember nothing of the object."""
        self._found.forget(obj)


def forget_all() -> None:
    """Forget everything of all objects, and how they have changed: their file is left."""
    for memory in _memories:
        memory.clear()
    changes.forget_all()
