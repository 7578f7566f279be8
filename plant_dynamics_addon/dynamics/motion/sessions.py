# SPDX-License-Identifier: GPL-3.0-or-later
"""The sessions of all objects that have one."""

from collections.abc import Hashable, Iterable

import bpy

from ...memory import Memory
from ...relations import is_to_another
from ..cache import disk_cache
from .session import Session

#: They hold no Blender data, so undo cannot leave them dangling.
_sessions: Memory[Session] = Memory()


def session_of(obj: bpy.types.Object) -> Session | None:
    """The object's session if it has one."""
    return _sessions.of(obj)


def open_session(obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> Session:
    """A session that fits the object as it is now; the cache is kept when nothing that matters has changed.

    To be called at the scene's first frame where anything moves: size and bones are those of that frame.
    """
    new = Session(obj, scene, depsgraph)
    old = session_of(obj)
    if old is not None:
        if old.own_key() == new.own_key():
            old.follow(new)
            return old
        if _parts_of(old) == _parts_of(new) and not any(map(is_to_another, obj.plant_dynamics.loads)):
            new.recording.adopt(old.recording)
        new.took_to_begin = old.took_to_begin
    else:
        new.known.remembered = disk_cache.frames_of(obj, new.key(), new.motion.simulation)
    return _sessions.keep(obj, new)


def _parts_of(session: Session) -> Hashable:
    """Of what there is a row in the worlds that are recorded."""
    plant = session.plant
    return tuple(plant.bones), tuple(plant.carriers), tuple(one.uid for one in plant.things)


def clear_sessions(uids: set[int]) -> None:
    """Look at all frames of these objects again."""
    disk_cache.doubt(uids)
    for uid in uids & _sessions.keys():
        _sessions[uid].clear()


def leave_busy(sessions: Iterable[Session]) -> None:
    """Work was given up: go on with copies of the sessions that another thread is still simulating."""
    given_up = list(sessions)
    for uid, session in list(_sessions.items()):
        if session in given_up and session.is_busy():
            _sessions[uid] = session.so_far()


def forget_grabs(but: Iterable[int] = ()) -> None:
    """Move as if the mouse had never held the objects, other than these."""
    for uid in _sessions.keys() - set(but):
        _sessions[uid].forget_grabs()


def close_session(obj: bpy.types.Object) -> None:
    """Forget the object's session."""
    _sessions.forget(obj)
