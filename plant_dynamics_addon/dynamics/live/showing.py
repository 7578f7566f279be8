# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing live plants when the frame changes."""

import math
from time import perf_counter

import bpy

from ...blender.evaluation_cache import Once
from ...blender.timeline import at_first_frame, frame_handler_paused, others_handle, place_in_time
from ...blender.view_layers import depsgraph_of, is_in, layer_of
from ...changes import take_inputs_changed
from ..kernels.warm_up import warm_up
from ..motion.session import Session
from ..motion.sessions import clear_sessions, session_of
from ..motion.stage import stage_of
from ..rig.pose_writer import write_rotations
from ..rig.quaternions import between
from ..surroundings.dependencies import refuse_unposed
from ..surroundings.inputs import is_read_moving, is_static
from . import lagging
from .live import current_session, is_live, is_outdated, live_plants, stopping_on_error
from .unkeyed import edits_kept

#: Plants of more bones are read and settled by the operator, which takes longer than a frame may.
SLOW_TO_START = 1000


def update_live(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, patience: float = math.inf) -> None:
    """Pose all live plants of the scene; one that cannot be simulated stops being live and tells why in the panel.

    Only whole frames are looked at and simulated. Between them plants move as the keys of a bake would have them.
    What takes longer than the patience (s) is left to the operator that catches up, which goes on where this ends;
    plants keep their pose until then.
    """
    until = perf_counter() + patience
    anew = take_inputs_changed()
    clear_sessions(anew)
    frame, share = place_in_time(scene)
    once, layer = Once(), depsgraph.view_layer
    playing = [obj for obj in live_plants(scene) if is_in(obj, layer, once)]
    # What others change is evaluated only after this.
    read_later = share > 0.0 or others_handle("frame_change_post")
    looking = {obj.session_uid for obj in playing if not read_later and layer_of(obj, scene, once) == layer}
    outdated = [obj for obj in playing if is_outdated(obj, scene)]
    if patience < math.inf and any(len(obj.data.bones) > SLOW_TO_START for obj in outdated):
        lagging.note(live_plants(scene), playing)
        return
    warm_up()
    sessions: list[tuple[bpy.types.Object, Session, bool]] = []
    with at_first_frame(scene, any(is_read_moving(obj, scene, once) for obj in outdated)):
        for obj in playing:
            with stopping_on_error(obj):
                if obj.session_uid in anew or session_of(obj) is None:
                    refuse_unposed(obj)
                session = current_session(obj, scene, depsgraph_of(obj, scene, depsgraph, once), obj in outdated)
                if not share:
                    session.grabs.arrive(frame)
                sessions.append((obj, session, not session.grabs.frames and is_static(obj, scene, once)))
    last = frame + 1 if share else frame
    all_seen = _look_at_unseen(scene, depsgraph, [
        (obj, session, _unseen(session, last, unchanging, obj.session_uid in looking))
        for obj, session, unchanging in sessions
    ], until)  # fmt: skip
    if not all_seen:
        lagging.note(live_plants(scene), playing)
        return
    once = Once()
    for obj, session, unchanging in sessions:
        if is_live(obj):  # and was not stopped on the way
            with stopping_on_error(obj):
                if obj.session_uid in looking:
                    session.see(obj, scene, depsgraph, frame, once)
                if unchanging:
                    session.see_unchanging(scene.frame_end + 1)
    stage_of(scene).simulate([session for obj, session, _ in sessions if is_live(obj)], last, until)
    late = []
    for obj, session, _ in sessions:
        if not is_live(obj):
            continue
        with stopping_on_error(obj):
            if not session.reaches(last, until):
                late.append(obj)
                continue
            channels = session.channels_at(frame)
            if share:
                channels = between(channels, session.channels_at(frame + 1), share)
            write_rotations(obj, session.plant.pose_index, channels)
    lagging.note(live_plants(scene), late)


def _unseen(session: Session, frame: int, unchanging: bool, looking: bool) -> range:
    """Frames to be looked at before the present one is shown; with it, unless it is about to be looked at anyway."""
    if looking:
        return range(0) if unchanging else range(session.sampled_end + 1, frame)
    frame = max(frame, session.start_frame)
    if session.sampled_end >= frame:
        return range(0)
    return range(frame if unchanging else session.sampled_end + 1, frame + 1)


def _look_at_unseen(
    scene: bpy.types.Scene,
    depsgraph: bpy.types.Depsgraph,
    sessions: list[tuple[bpy.types.Object, Session, range]],
    until: float,
) -> bool:
    """Look at whole frames that were jumped over, so that the motion is the same whatever frames are shown. Whether all
    have been looked at by then (as perf_counter tells it); one is in any case."""
    unseen = [frames for _, _, frames in sessions if frames]
    if not unseen:
        return True
    last = max(frames.stop for frames in unseen) - 1
    before = place_in_time(scene)
    with frame_handler_paused():
        for skipped in range(min(frames.start for frames in unseen), last + 1):
            scene.frame_set(skipped)
            once = Once()
            for obj, session, frames in sessions:
                if skipped in frames and is_live(obj):
                    with stopping_on_error(obj):
                        session.see(obj, scene, depsgraph_of(obj, scene, depsgraph, once), skipped, once)
            if perf_counter() > until:
                break
        if place_in_time(scene) != before:
            scene.frame_set(before[0], subframe=before[1])
    return skipped == last


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
    return [obj for obj in live_plants(scene) if lagging.lags(obj) and is_outdated(obj, scene)]
