# SPDX-License-Identifier: GPL-3.0-or-later
"""What a render shows of live plants: simulated before a frame is drawn, and meanwhile only read from the cache."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from threading import get_ident, main_thread
from typing import NamedTuple

import bpy
import numpy as np

from ...blender.timeline import handler_is_paused, place_in_time
from ...blender.versions import all_strips_of, compositing_tree
from ...changes import are_inputs_changed, is_changed, take_inputs_changed
from ...errors import PlantError
from ...memory import Memory
from ...plants import dynamic_objects
from ..cache import disk_cache
from ..cache.cached_frames import Frame
from ..motion.session import time_base
from ..motion.sessions import clear_sessions, session_of
from ..motion.trouble import refuse
from ..rig.pose_writer import end_against_keys, write_against_keys, write_pose
from ..rig.thing_channels import objects_of, write_things
from .live import is_live, live_plants, problem_of, set_problem, stopping_on_error, trouble_of

#: The first frames of scenes with live plants as their file says.
_first_frames: Memory[int] = Memory()


def note_first_frames() -> None:
    """Take where the scenes of a file that has just been loaded begin."""
    _first_frames.clear()
    for scene in bpy.data.scenes:
        if live_plants(scene):
            _first_frames.keep(scene, scene.frame_start)


def _first_frame(scene: bpy.types.Scene) -> int:
    """Where the motion of live plants begins. Without a window command lines and scripts choose the part that they
    render by the scene's range, and that part's motion is the one that was seen."""
    return _first_frames.get(scene.session_uid, scene.frame_start) if bpy.app.background else scene.frame_start


@contextmanager
def from_the_first_frame(scene: bpy.types.Scene) -> Iterator[None]:
    """The scene's range begins meanwhile where the motion of its live plants does."""
    chosen = scene.frame_start, scene.frame_end
    if chosen[0] == _first_frame(scene):
        yield
        return
    scene.frame_start = _first_frame(scene)
    try:
        yield
    finally:
        scene.frame_start, scene.frame_end = chosen


class _Pose(NamedTuple):
    """Bones' places in the pose (n,), what they show, and the objects that the plant moves."""

    index: np.ndarray
    frame: Frame
    things: tuple[bpy.types.Object | None, ...]


def look_ahead(scene: bpy.types.Scene, last_frame: int) -> None:
    """Know the motion of live plants up to this frame, and behind it as far as its blur looks, before it is rendered.

    The scene then stands where it stood. Raises PlantError for a plant that cannot be simulated, did not settle or was
    stopped, unless the bake's options allow that.
    """
    last = last_frame + blur_reach(scene)
    if not handler_is_paused() and any(not _is_known(obj, scene, last) for obj in live_plants(scene)):
        frame, share = place_in_time(scene)
        if bpy.app.background:
            print(f"Plant Dynamics: simulating up to frame {last} for the render of '{scene.name}'")
        scene.frame_set(last)
        scene.frame_set(frame, subframe=share)
    for obj in dynamic_objects(scene):
        if problem_of(obj) and not (is_live(obj) or obj.plant_dynamics.is_baked):
            raise PlantError(problem_of(obj))
    if not scene.plant_dynamics_bake.allow_stopped:
        for obj in live_plants(scene):
            trouble = trouble_of(obj)
            if trouble is not None and trouble.frame <= last:
                refuse(trouble, obj)


def look_ahead_of_frame(scene: bpy.types.Scene) -> None:
    """The same before a frame of the scene is drawn, of all scenes in the picture. Raises PlantError.

    Blender's window draws on another thread, where nothing can be simulated: there Play has done that, or nobody.
    """
    if get_ident() != main_thread().ident:
        return
    frame, share = place_in_time(scene)
    for shown, last in _pictured(scene, ceil(frame + share)).items():
        for obj in _seen_from_elsewhere(shown):
            raise PlantError(
                "'{object}' is seen in '{shown}' through a background set or an instanced collection, where a live "
                "plant does not move: bake it first",
                object=obj.name, shown=shown.name,
            )
        look_ahead(shown, last)


def give_up(problem: str) -> None:
    """End a Blender without a window, whose render would come out without motion. Nothing milder stops it."""
    print(f"Plant Dynamics: {problem}. Rendering stopped", file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


def show_cached(scene: bpy.types.Scene, *, evaluated: bool, tell: bool = True) -> list[str]:
    """Pose all live plants for a frame that is being rendered, or for a moment between two, of motion blur.

    A render runs on a thread of its own, so only what is known of the scene's frames is used and nothing is read anew.
    evaluated: whether Blender has already evaluated the scene at that moment. It is better not: once more it evaluates
    only what is written here, and whatever else is animated of the object stands as in the last frame of the window.
    tell: say so where a frame is not known. Returns what there is to say.
    """
    clear_sessions(take_inputs_changed())  # a wrong motion is worse than none, of which the panel tells
    frame, share = place_in_time(scene)
    problems: list[str] = []
    for obj in live_plants(scene):
        problem = ""
        with stopping_on_error(obj):
            found, problem = _posed(obj, frame, share)
            if problem and tell and problem != problem_of(obj):
                set_problem(obj, problem)
                print(f"Plant Dynamics: '{obj.name}': {problem}")
            if found is not None:
                frame_shown = found.frame
                (write_pose if evaluated else write_against_keys)(
                    obj, found.index, frame_shown.channels, frame_shown.broken, frame_shown.led
                )
                write_things(found.things, frame_shown.things)
        problem = problem if is_live(obj) else problem_of(obj)
        if problem:
            problems.append(f"'{obj.name}': {problem}")
    return problems


def end_showing(scene: bpy.types.Scene) -> None:
    """Blender has evaluated what show_cached has written before."""
    for obj in live_plants(scene):
        end_against_keys(obj)


def _posed(obj: bpy.types.Object, frame: int, share: float) -> tuple[_Pose | None, str]:
    """The pose at a moment, as far as that is known, and what is not."""
    found = _cached(obj, frame)
    if found is None:
        return None, f"Frame {frame} was rendered without motion: bake or play first"
    if not share:
        return found, ""
    after = _cached(obj, frame + 1)
    if after is None or not np.array_equal(found.index, after.index):
        return found, f"Frame {frame} was rendered without the motion behind it: bake or play first"
    return found._replace(frame=found.frame.towards(after.frame, share)), ""


def _cached(obj: bpy.types.Object, frame: int) -> _Pose | None:
    """The pose at a frame, where its world is known."""
    session = session_of(obj)
    if session is None or not session.recording.has(frame) or not session.is_of(obj.data):
        rendered = disk_cache.rendered(obj, frame)
        return None if rendered is None else _Pose(*rendered)
    return _Pose(session.plant.shown_index, session.shown_at(frame), objects_of(obj, session.plant.things))


def _is_known(obj: bpy.types.Object, scene: bpy.types.Scene, last: int) -> bool:
    """Whether nothing has to be looked at for the plant's motion up to this frame."""
    session = session_of(obj)
    if session is None:
        return disk_cache.rendered(obj, last) is not None
    if is_changed(obj) or are_inputs_changed(obj) or not session.is_of(obj.data):
        return False
    seen = session.recording
    return seen.time_base == (_first_frame(scene), time_base(scene)[1]) and seen.end_frame >= last


def blur_reach(scene: bpy.types.Scene) -> int:
    """How many frames behind a frame its motion blur, or its pass of motion vectors, looks at."""
    if scene.render.use_motion_blur:
        return ceil(scene.render.motion_blur_shutter)
    return int(any(layer.use_pass_vector for layer in scene.view_layers))


def _pictured(scene: bpy.types.Scene, frame: int) -> dict[bpy.types.Scene, int]:
    """The scenes in the picture of a frame of this one, with their last frames that may be seen in it."""
    last, waiting = {scene: frame}, [scene]
    while waiting:
        one = waiting.pop()
        for other, frame_in_it in [*_in_sequencer(one), *((other, last[one]) for other in _in_compositor(one))]:
            if other is not None and other not in last:
                last[other] = frame_in_it
                waiting.append(other)
    return last


def _seen_from_elsewhere(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Live plants in the picture of a scene that are not in it: Blender evaluates them there and tells nobody."""
    own, seen = set(scene.objects), set(scene.objects)
    behind = scene.background_set
    while behind is not None and not set(behind.objects) <= seen:
        seen.update(behind.objects)
        behind = behind.background_set
    waiting = {obj.instance_collection for obj in seen if obj.instance_type == "COLLECTION"} - {None}
    known: set[bpy.types.Collection] = set()
    while waiting:
        collection = waiting.pop()
        known.add(collection)
        seen.update(collection.all_objects)
        inside = {obj.instance_collection for obj in collection.all_objects if obj.instance_type == "COLLECTION"}
        waiting |= inside - known - {None}
    return [obj for obj in seen - own if obj.type == "ARMATURE" and is_live(obj) and not obj.plant_dynamics.is_baked]


def _in_sequencer(scene: bpy.types.Scene) -> list[tuple[bpy.types.Scene | None, int]]:
    strips = all_strips_of(scene) if scene.render.use_sequencer else ()
    return [(strip.scene, strip.scene.frame_end) for strip in strips if strip.type == "SCENE" and strip.scene]


def _in_compositor(scene: bpy.types.Scene) -> list[bpy.types.Scene | None]:
    tree = compositing_tree(scene) if scene.render.use_compositing else None
    return [] if tree is None else [node.scene for node in tree.nodes if node.type == "R_LAYERS"]
