# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing live plants when the frame changes."""

import math
from time import perf_counter
from typing import NamedTuple

import bpy

from ...blender.evaluation_cache import EvaluationCache
from ...blender.timeline import (
    at_first_frame,
    frame_handler_paused,
    is_playing,
    others_handle,
    place_in_time,
    return_to,
)
from ...blender.view_layers import depsgraph_of, is_in, layer_of
from ...changes import take_inputs_changed
from ..kernels.warm_up import warm_up
from ..motion.session import Session
from ..motion.sessions import clear_sessions, session_of
from ..motion.stage import stage_of
from ..motion.ties import tie
from ..rig.pose_writer import write_pose
from ..rig.thing_channels import objects_of, write_things
from ..surroundings.dependencies import refuse_unposed
from ..surroundings.inputs import is_read_moving, is_static
from . import lagging
from .live import current_session, is_live, is_outdated, live_plants, stopping_on_error
from .unkeyed import edits_kept

#: Plants of more bones are read and settled by the operator, which takes longer than a frame may; and so are those that
#: took so long (s) to settle last.
SLOW_TO_START, LONG_START = 1000, 0.5


class _Plant(NamedTuple):
    """A live plant with its session in a scene. seen_now: whether its world is read as the scene stands, and not by
    evaluating the frame once more; once: what has been found of the scene as it stands."""

    obj: bpy.types.Object
    session: Session
    seen_now: bool
    scene: bpy.types.Scene
    once: EvaluationCache

    def is_unchanging(self) -> bool:
        """Whether all frames are alike to it. What may move is taken to go on so until something is edited."""
        session = self.session
        session.may_move = session.may_move or not is_static(self.obj, self.scene, self.once)
        return not session.may_move and not session.recording.grabs.frames

    def unseen(self, last: int) -> range:
        """Frames to be looked at before the last is shown; with it, unless it is about to be looked at anyway."""
        seen = self.session.recording
        end = last if self.seen_now else max(last, seen.start_frame) + 1
        ahead = range(seen.end_frame + 1, end)
        if not ahead or not self.is_unchanging():
            return ahead
        return range(0) if self.seen_now else range(end - 1, end)


def update_live(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, patience: float = math.inf) -> None:
    """Pose all live plants of the scene; one that cannot be simulated stops being live and tells why in the panel.

    Only whole frames are looked at and simulated. Between them plants move as the keys of a bake would have them.
    What takes longer than the patience (s) is left to the operator that catches up, which goes on where this ends;
    plants keep their pose until then. To that operator is also left, while frames are played in the window, which each
    may take as long as it does, what has to be settled first.
    """
    until, once = perf_counter() + patience, EvaluationCache()
    is_for_user = patience < math.inf or is_playing()
    anew = take_inputs_changed()
    clear_sessions(anew)
    frame, share = place_in_time(scene)
    last = frame + 1 if share else frame
    live = live_plants(scene)
    playing = [obj for obj in live if is_in(obj, depsgraph.view_layer, once)]
    outdated = [obj for obj in playing if is_outdated(obj, scene)]
    if is_for_user and any(_starts_slowly(obj, obj in outdated) for obj in playing):
        lagging.note(live, playing)
        return
    warm_up()
    plants = _prepared(scene, depsgraph, playing, outdated, anew, once)
    if not _look_at_unseen(scene, depsgraph, plants, last, until):
        lagging.note(live, playing)
        return
    _look_at_present(scene, depsgraph, plants)
    if is_for_user and any(_settles_on_things(plant.session) for plant in plants):
        lagging.note(live, playing)
        return
    stage_of(scene).simulate([plant.session for plant in plants if is_live(plant.obj)], last, until)
    late = [plant.obj for plant in plants if is_live(plant.obj) and not _is_shown(plant, frame, share, until)]
    lagging.note(live, late)


def _starts_slowly(obj: bpy.types.Object, outdated: bool) -> bool:
    """Whether a plant has to be read or settled first and takes long."""
    if outdated and len(obj.data.bones) > SLOW_TO_START:
        return True
    session = session_of(obj)
    if session is None:
        return False
    took_long = session.took_to_begin > LONG_START and (outdated or len(session.known) == 0)
    return took_long or (not outdated and _settles_on_things(session))


def _settles_on_things(session: Session) -> bool:
    """Whether a plant has to be settled on what it may touch: nobody knows how long the way to there is."""
    if len(session.known) > 0 or not session.recording.worlds or session.manner.start != "settled":
        return False
    world = session.recording.worlds[0]
    return len(world.colliders) > 0 or bool(world.touches_itself)


def _prepared(
    scene: bpy.types.Scene,
    depsgraph: bpy.types.Depsgraph,
    playing: list[bpy.types.Object],
    outdated: list[bpy.types.Object],
    anew: set[int],
    once: EvaluationCache,
) -> list[_Plant]:
    """The plants with their sessions, those that are outdated read at the first frame where anything moves."""
    frame, share = place_in_time(scene)
    # What others change is evaluated only after this.
    read_later = share > 0.0 or others_handle("frame_change_post")
    plants = []
    with at_first_frame(scene, any(is_read_moving(obj, scene, once) for obj in outdated)):
        for obj in playing:
            with stopping_on_error(obj):
                if obj.session_uid in anew or session_of(obj) is None:
                    refuse_unposed(obj)
                session = current_session(obj, scene, depsgraph_of(obj, scene, depsgraph, once), obj in outdated)
                if not share:
                    session.recording.grabs.arrive(frame)
                seen_now = not read_later and layer_of(obj, scene, once) == depsgraph.view_layer
                plants.append(_Plant(obj, session, seen_now, scene, once))
    tie([(plant.obj, plant.session) for plant in plants])
    return plants


def _look_at_unseen(
    scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, plants: list[_Plant], last: int, until: float
) -> bool:
    """Look at whole frames that were jumped over, so that the motion is the same whatever frames are shown. Whether all
    have been looked at by then (as perf_counter tells it); one is in any case."""
    unseen = [(plant, frames) for plant in plants if (frames := plant.unseen(last))]
    if not unseen:
        return True
    end = max(frames.stop for _, frames in unseen)
    before = place_in_time(scene)
    with frame_handler_paused():
        for skipped in range(min(frames.start for _, frames in unseen), end):
            scene.frame_set(skipped)
            once = EvaluationCache()
            for plant, frames in unseen:
                if skipped in frames:
                    _look(plant, scene, depsgraph_of(plant.obj, scene, depsgraph, once), skipped, once)
            if perf_counter() > until:
                break
        if place_in_time(scene) != before:
            return_to(scene, before)
    return skipped + 1 == end


def _look_at_present(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, plants: list[_Plant]) -> None:
    """Look at the frame as it stands, and ahead where all frames are alike."""
    once, (frame, _) = EvaluationCache(), place_in_time(scene)
    for plant in plants:
        if plant.seen_now:
            _look(plant, scene, depsgraph, frame, once)
        last = scene.frame_end + 1
        if plant.session.recording.end_frame < last and is_live(plant.obj) and plant.is_unchanging():
            plant.session.see_unchanging(last)


def _look(
    plant: _Plant, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, frame: int, once: EvaluationCache
) -> None:
    if is_live(plant.obj):  # and was not stopped on the way
        with stopping_on_error(plant.obj):
            plant.session.see(plant.obj, scene, depsgraph, frame, once)


def _is_shown(plant: _Plant, frame: int, share: float, until: float) -> bool:
    """Pose the plant for a share of the way from a frame to the next. False where that is not known in time."""
    session = plant.session
    with stopping_on_error(plant.obj):
        if not session.reaches(frame + 1 if share else frame, until):
            return False
        shown = session.shown_at(frame)
        if share:
            shown = shown.towards(session.shown_at(frame + 1), share)
        write_pose(plant.obj, session.plant.shown_index, shown.channels, shown.broken, shown.led)
        write_things(objects_of(plant.obj, session.plant.things), shown.things)
    return True


def go_on(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, patience: float) -> float:
    """Simulate for so long (s) on the way to the frame that the scene stands at, without evaluating it anew. Returns
    the share of the way that is done, 1 when all live plants show the frame."""
    with edits_kept():
        update_live(scene, depsgraph, patience)
    late = [obj for obj in live_plants(scene) if lagging.lags(obj)]
    frame, share = place_in_time(scene)
    frames = frame + (share > 0.0) - scene.frame_start + 1
    sessions = [session for obj in late if (session := session_of(obj)) is not None]
    known = min((session.known_share(frames) for session in sessions), default=0.0)
    return min(0.99, known) if late else 1.0


def lagging_starts(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Those that lag behind and have to be read and settled first."""
    late = [obj for obj in live_plants(scene) if lagging.lags(obj)]
    return [obj for obj in late if is_outdated(obj, scene) or _starts_slowly(obj, False)]
