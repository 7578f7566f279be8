# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that move when the frame changes."""

import bpy
import numpy as np

from ..errors import PlantError
from .inputs import is_static
from .pose_writer import read_rotations, write_rotations
from .registry import take_changed
from .session import Session, close_session, open_session, session_of

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


def show_frame(obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, rendering: bool) -> None:
    """Pose the object for the scene's current frame. Raises PlantError.

    While rendering only the cache is read: render and window run on different threads.
    """
    frame = scene.frame_current
    if rendering:
        session = session_of(obj)
        if session is not None:
            write_rotations(obj, session.plant.pose_index, session.channels_at(min(frame, session.end_frame)))
        return
    session = current_session(obj, scene, depsgraph)
    session.see(obj, scene, depsgraph, frame)
    if is_static(obj, scene):
        session.see_unchanging(scene.frame_end)
    write_rotations(obj, session.plant.pose_index, session.channels_at(frame))


def update_live(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, rendering: bool) -> None:
    """Pose all live plants of the scene; one that cannot be simulated stops being live and tells why in the panel."""
    for name in sorted(_live):
        obj = scene.objects.get(name)
        if obj is None or not obj.plant_dynamics.live or obj.plant_dynamics.is_baked:
            continue
        try:
            show_frame(obj, scene, depsgraph, rendering)
        except PlantError as error:
            stop_live(obj)
            _problems[name] = str(error)
