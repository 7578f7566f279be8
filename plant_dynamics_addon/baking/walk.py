# SPDX-License-Identifier: GPL-3.0-or-later
"""One walk through the scene's frames, which all plants are simulated in."""

from collections.abc import Generator
from functools import partial

import bpy

from ..blender.evaluation_cache import EvaluationCache
from ..blender.meanwhile import meanwhile
from ..blender.timeline import frame_handler_paused, place_in_time
from ..blender.view_layers import depsgraph_of
from ..changes import take_inputs_changed
from ..dynamics.live.live import go_back, part_from_original
from ..dynamics.motion.session import Session
from ..dynamics.motion.sessions import clear_sessions, leave_busy, open_session
from ..dynamics.motion.ties import tie, with_others
from ..dynamics.motion.trouble import refuse
from ..dynamics.surroundings.dependencies import refuse_unposed
from ..dynamics.surroundings.inputs import is_static
from ..rigging.skin.whole_skins import look_at_skins


def simulate_range(
    context: bpy.types.Context,
    objects: list[bpy.types.Object],
    last_frame: int,
    ahead: int = 0,
    allow_stopped: bool = False,
) -> Generator[tuple[float, dict[str, Session]], None, None]:
    """Sample the scene and simulate up to last_frame, yielding (progress 0..1, sessions by full name) now and then.

    Frames that are cached are looked at too, for something in the scene may have changed, but not simulated again.
    Plants that these touch are simulated with them. Where nothing that acts on the plants is animated, all frames are
    like the first. The scene's frame is put back at
    the end, also when the iteration is given up. ahead: so many more frames are looked at but not simulated.
    allow_stopped: go on where a plant did not settle or was stopped. Raises PlantError.
    """
    scene = context.scene
    frame_before, subframe_before = place_in_time(scene)
    sessions: dict[str, Session] = {}
    asked, objects = objects, with_others(scene, objects)
    clear_sessions(take_inputs_changed())
    for obj in objects:
        part_from_original(obj)
    try:
        with frame_handler_paused():
            first = scene.frame_start
            unchanging, progress = all(is_static(obj, scene) for obj in objects), 0.0
            for frame in range(first, last_frame + ahead + 1):
                if frame == first or not unchanging:
                    scene.frame_set(frame)
                    depsgraph, once = context.evaluated_depsgraph_get(), EvaluationCache()
                if not sessions:
                    for obj in objects:
                        refuse_unposed(obj)
                        sessions[obj.name_full] = open_session(obj, scene, depsgraph_of(obj, scene, depsgraph, once))
                        look_at_skins(obj)
                    tie([(obj, sessions[obj.name_full]) for obj in objects], asked)
                for obj in objects:
                    graph = depsgraph_of(obj, scene, depsgraph, once)
                    sessions[obj.name_full].see(obj, scene, graph, frame, once)
                for obj in objects if frame <= last_frame else ():
                    session = sessions[obj.name_full]
                    for _ in meanwhile(partial(session.channels_at, frame)):
                        yield progress, sessions
                    if not allow_stopped:
                        refuse(session.trouble_at(frame), obj)
                progress = (frame - first + 1) / (last_frame + ahead - first + 1)
                yield progress, sessions
    except GeneratorExit:
        leave_busy(sessions.values())
        raise
    finally:
        go_back(scene, frame_before, subframe_before)
