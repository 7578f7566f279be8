# SPDX-License-Identifier: GPL-3.0-or-later
"""Caches on disk, beside the .blend: where they lie, and what was read of them or written last.

A frame from the disk is used where the plant and its world are found to be those it was made from. A render cannot
look: it shows the frames of a cache that was saved together with just this .blend, until something is changed.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ....solver import Simulation
from ...changes import version
from ...errors import PlantError
from ...memory import Memory
from . import cache_file
from .cache_file import CacheFile
from .cached_frames import CachedFrames, Frame
from .digests import file_digest, key_digest


@dataclass
class _Known:
    """A cache on disk of an object that had changed so often when the two were known to belong together."""

    file: CacheFile
    sure: int
    version: int


_known: Memory[_Known] = Memory()
_notes: Memory[str] = Memory()


def folder_of(blend: str) -> Path:
    """The folder of a .blend's caches."""
    path = Path(blend)
    return path.with_name(f"{path.stem}_plant_cache")


def path_of(obj: bpy.types.Object, blend: str) -> Path:
    """The file of the object's cache. Names may be anything, so a digest of it tells similar ones apart."""
    readable = re.sub(r"[^A-Za-z0-9_-]", "_", obj.name)[:40]
    exact = hashlib.blake2b(obj.name_full.encode(), digest_size=4).hexdigest()
    return folder_of(blend) / f"{readable}-{exact}.npz"


def blend_digest(blend: str) -> str:
    """Digest of the .blend, of the libraries it links to, and of the code that makes its motion."""
    libraries = sorted(bpy.path.abspath(library.filepath) for library in bpy.data.libraries)
    return file_digest([Path(path) for path in (blend, *libraries)])


def read_all(blend: str) -> None:
    """Read the caches of the file that has just been loaded."""
    forget_files()
    if not blend or not folder_of(blend).is_dir():
        return
    digest = ""
    for obj in bpy.data.objects:
        path = path_of(obj, blend)
        if obj.type != "ARMATURE" or not obj.plant_dynamics.is_dynamic or not path.is_file():
            continue
        try:
            file = cache_file.read(path)
        except PlantError as error:
            set_note(obj, str(error))
            continue
        digest = digest or blend_digest(blend)
        belongs = file.blend == digest and file.plant == obj.name_full
        know(obj, file, file.sure if belongs else 0)


def know(obj: bpy.types.Object, file: CacheFile, sure: int) -> None:
    """The file is the object's cache on disk, and so many of its frames are those of the .blend."""
    _known.keep(obj, _Known(file, sure, version(obj)))
    _notes.forget(obj)


def forget(obj: bpy.types.Object) -> None:
    """The object has no cache on disk."""
    _known.forget(obj)
    _notes.forget(obj)


def forget_files() -> None:
    """Forget what was read."""
    _known.clear()
    _notes.clear()


def doubt(uids: set[int]) -> None:
    """What acts on these objects may have changed."""
    for uid in uids & _known.keys():
        _known[uid].sure = 0


def file_of(obj: bpy.types.Object) -> CacheFile | None:
    """What the object's cache on disk holds."""
    known = _known.of(obj)
    return known.file if known else None


def sure_frames(obj: bpy.types.Object) -> int:
    """How many of its frames are known to be those of the file as it is now."""
    known = _known.of(obj)
    return known.sure if known and known.version == version(obj) else 0


def frames_of(obj: bpy.types.Object, key: tuple[object, ...], simulation: Simulation) -> CachedFrames:
    """The frames on disk of a plant whose session has this key; none if they are of other settings."""
    file = file_of(obj)
    if file is None or file.key != key_digest(key):
        return CachedFrames()
    try:
        return cache_file.as_cached_frames(file, simulation)
    except PlantError as error:
        set_note(obj, str(error))
        return CachedFrames()


def rendered(
    obj: bpy.types.Object, frame: int
) -> tuple[np.ndarray, Frame, tuple[bpy.types.Object | None, ...]] | None:
    """Bones' places in the pose, what they show at a frame that is sure, and the objects that the plant moves, without
    looking at the scene."""
    file, sure = file_of(obj), sure_frames(obj)
    index = max(0, frame - file.first_frame) if file else 0
    if file is None or index >= sure:
        return None
    places = {bone.name: i for i, bone in enumerate(obj.pose.bones)}
    if not places.keys() >= set(file.names):
        return None
    frame_shown = Frame(
        b"", file.channels[index], None, None, None, file.broken_at(index), file.led_at(index), file.things[index]
    )
    things = tuple(bpy.data.objects.get(name) for name in file.thing_names)
    return np.array([places[name] for name in file.names]), frame_shown, things


def set_note(obj: bpy.types.Object, note: str) -> None:
    """What there is to say about the object's cache on disk, to the panel and to the console."""
    _notes.keep(obj, note)
    print(f"Plant Dynamics: {note}")


def note_of(obj: bpy.types.Object) -> str:
    """What was last to say, or an empty string."""
    return _notes.of(obj) or ""
