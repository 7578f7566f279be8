# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that move when the frame changes."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ..errors import PlantError
from .frames import frame_handler_paused
from .inputs import is_static
from .pose_writer import read_rotations, write_rotations
from .registry import take_changed
from .session import Session, close_session, open_session, session_named, session_of

#: Pose rotations of live objects from before they went live.
_poses_before: dict[str, np.ndarray] = {}
#: What went wrong with an object in the frame handler, where no operator can report it; shown by the panel.
_problems: dict[str, str] = {}
_live: set[str] = set()


def problem_of(obj: bpy.types.Object) -> str:
    """What last went wrong while playing, or an empty string."""
    return _problems.get(obj.name, "")


def find_live() -> None:
    """Look through the file for live plants, after loading or undo."""
    _live.clear()
    _live.update(obj.name for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.plant_dynamics.live)


def forget_all() -> None:
    """Forget everything about the file that is being left."""
    _live.clear()
    _problems.clear()
    _poses_before.clear()


def dynamic_objects(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Plants of the scene that can be simulated."""
    return [obj for obj in scene.objects if obj.type == "ARMATURE" and obj.plant_dynamics.is_dynamic]


def go_live(obj: bpy.types.Object) -> None:
    """From now on the object's bones follow the simulation."""
    if not obj.plant_dynamics.live:
        _poses_before[obj.name] = read_rotations(obj)
    obj.plant_dynamics.live = True
    _live.add(obj.name)
    _problems.pop(obj.name, None)


def stop_live(obj: bpy.types.Object) -> None:
    """Give the bones back as they were before, and forget the simulation."""
    if obj.plant_dynamics.live:
        before = _poses_before.pop(obj.name, None)
        if before is None or len(before) != len(obj.pose.bones):
            before = np.tile(np.array([1.0, 0.0, 0.0, 0.0], dtype=np.float32), (len(obj.pose.bones), 1))
        write_rotations(obj, np.arange(len(before)), before)
    obj.plant_dynamics.live = False
    _live.discard(obj.name)
    _problems.pop(obj.name, None)
    close_session(obj.name)


def retire(obj: bpy.types.Object) -> None:
    """Stop being live but keep the pose and the cache: keyframes take over."""
    _poses_before.pop(obj.name, None)
    obj.plant_dynamics.live = False
    _live.discard(obj.name)


def current_session(obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> Session:
    """The object's session, read anew when its settings, its bones or the scene's time base have changed."""
    session = session_of(obj)
    time_base = scene.frame_start, scene.render.fps_base / scene.render.fps
    if session is None or take_changed(obj.name) or (session.start_frame, session.frame_duration) != time_base:
        session = open_session(obj, scene, depsgraph)
    return session


def forget_samples() -> None:
    """Animation has been edited: look at every frame of the scene again before showing the next one."""
    for name in _live:
        session = session_named(name)
        if session is not None:
            session.clear()


def refresh(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, names: set[str]) -> None:
    """The user has changed a load or the like of these objects: show the current frame anew."""
    for name in names & _live:
        session = session_named(name)
        if session is not None:
            session.clear()
    if names & _live:
        update_live(scene, depsgraph)


def update_live(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Pose all live plants of the scene; one that cannot be simulated stops being live and tells why in the panel."""
    sessions: dict[str, Session] = {}
    for obj in _playing(scene):
        with _stopping_on_error(obj):
            sessions[obj.name] = current_session(obj, scene, depsgraph)
    _catch_up(scene, depsgraph, sessions)
    for name, session in sessions.items():
        obj = scene.objects[name]
        with _stopping_on_error(obj):
            session.see(obj, scene, depsgraph, scene.frame_current)
            if is_static(obj, scene):
                session.see_unchanging(scene.frame_end)
            write_rotations(obj, session.plant.pose_index, session.channels_at(scene.frame_current))


def show_cached(scene: bpy.types.Scene) -> None:
    """Pose all live plants for a frame that is being rendered.

    A render runs on a thread of its own, so only what is known of the scene's frames is used and nothing is read anew.
    """
    for obj in _playing(scene):
        session = session_of(obj)
        if session is None or session.sampled_end < scene.frame_current:
            _problems[obj.name] = f"Frame {scene.frame_current} was rendered without motion: bake, or play it first"
            print(f"Plant Dynamics: '{obj.name}': {_problems[obj.name]}")
            continue
        with _stopping_on_error(obj):
            write_rotations(obj, session.plant.pose_index, session.channels_at(scene.frame_current))


def _playing(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    found = [scene.objects.get(name) for name in sorted(_live)]
    return [obj for obj in found if obj and obj.plant_dynamics.live and not obj.plant_dynamics.is_baked]


@contextmanager
def _stopping_on_error(obj: bpy.types.Object) -> Iterator[None]:
    try:
        yield
    except PlantError as error:
        name = obj.name
        stop_live(obj)
        _problems[name] = str(error)


def _catch_up(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, sessions: dict[str, Session]) -> None:
    """Look at frames that were jumped over, so that the motion is the same whatever frames are shown."""
    frame = scene.frame_current
    behind = [name for name in sessions if not is_static(scene.objects[name], scene)]
    first = min((sessions[name].sampled_end + 1 for name in behind), default=frame)
    if first >= frame:
        return
    with frame_handler_paused():
        for skipped in range(first, frame):
            scene.frame_set(skipped)
            for name in behind:
                if sessions[name].sampled_end < skipped:
                    sessions[name].see(scene.objects[name], scene, depsgraph, skipped)
        scene.frame_set(frame)
