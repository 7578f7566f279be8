# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing plants' caches beside the .blend, when it is saved or when asked to."""

from dataclasses import replace

import bpy

from ...errors import PlantError
from ..cache import cache_file, disk_cache
from ..cache.cache_file import CacheFile
from ..cache.digests import key_digest
from ..motion.session import Session
from ..motion.sessions import session_of


def save_all(blend: str) -> None:
    """Write the caches of all plants that ask for it, beside a .blend that has just been saved."""
    if not blend:
        return
    digest = ""
    for obj in bpy.data.objects:
        settings = obj.plant_dynamics
        if obj.type != "ARMATURE" or not (settings.is_dynamic and settings.use_disk_cache) or settings.is_baked:
            continue
        digest = digest or disk_cache.blend_digest(blend)
        try:
            save(obj, blend, digest)
        except PlantError as error:
            disk_cache.set_note(obj, str(error))


def save(obj: bpy.types.Object, blend: str, digest: str) -> None:
    """Write one plant's cache. digest: of the .blend that holds just what is in memory, or an empty string.

    A plant without frames has its file removed, as that would be of a motion that is no more. Frames from the first on
    that the mouse has held are left out. Raises PlantError.
    """
    path, session = disk_cache.path_of(obj, blend), session_of(obj)
    held = None if session is None else session.recording.grabs.first_frame()
    if session is not None:
        file = _as_file(obj, session, held, digest)
        if file is None:
            remove(obj, blend)
    elif (file := disk_cache.file_of(obj)) is not None:
        file = replace(file, plant=obj.name_full, blend=digest, sure=disk_cache.sure_frames(obj))
    if file is None:
        return
    cache_file.write(path, file)
    disk_cache.know(obj, file, file.sure if digest else 0)
    if held is not None:
        disk_cache.set_note(obj, f"'{obj.name}': only frames up to {file.last_frame} were saved, as Grab holds later "
                            "ones. End Grab, press Play and save again")  # fmt: skip
    elif digest and file.last_frame >= file.first_frame + file.sure:
        disk_cache.set_note(obj, f"'{obj.name}': since a change only frames up to {file.first_frame + file.sure - 1} "
                            "were shown. Press Play and save again, or others render without motion")  # fmt: skip


def _as_file(obj: bpy.types.Object, session: Session, held: int | None, digest: str) -> CacheFile | None:
    """The session's frames up to the one that the mouse has held, or None where there are none."""
    start_frame, frames = session.recording.start_frame, session.frames()
    if held is not None:  # what the mouse does is no part of the file
        frames = replace(frames, frames=frames.frames[: max(0, held - start_frame)])
        if not frames.frames:
            raise PlantError(
                "'{object}': no frame can be saved that the mouse has not held: end Grab first",
                object=obj.name,
            )
    if not frames.frames:
        return None
    sure = min(max(len(session.known), disk_cache.sure_frames(obj)), len(frames.frames))
    return cache_file.as_file(
        frames, plant=obj.name_full, blend=digest, key=key_digest(session.key()), sure=sure,
        names=session.plant.shown, first_frame=start_frame,
        thing_names=tuple(thing.name for thing in session.plant.things),
    )  # fmt: skip


def remove(obj: bpy.types.Object, blend: str) -> None:
    """Delete the plant's cache on disk. Raises PlantError."""
    path = disk_cache.path_of(obj, blend)
    try:
        path.unlink(missing_ok=True)
        if path.parent.is_dir() and not any(path.parent.iterdir()):
            path.parent.rmdir()
    except OSError as error:
        raise PlantError(
            "The cache '{path}' cannot be deleted: {reason}",
            path=path.name, reason=error.strerror,
        ) from error
    disk_cache.forget(obj)
