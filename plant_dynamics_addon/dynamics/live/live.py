# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that move when the frame changes."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress

import bpy

from ....solver import SolverError
from ... import memory
from ...blender.evaluation_cache import EvaluationCache
from ...blender.timeline import is_playing, place_in_time, return_to, show_again, stop_playing
from ...blender.view_layers import layer_of
from ...changes import are_inputs_changed, inputs_changed, is_changed, object_changed, take_changed
from ...errors import PlantError
from ...memory import Measured
from ...plants import dynamic_objects
from ..cache import disk_cache
from ..motion.session import Session, time_base
from ..motion.sessions import clear_sessions, close_session, forget_grabs, open_session, session_of
from ..motion.trouble import Trouble, trouble_on_disk
from ..rig.keyed.constraints import led_as
from ..rig.moved import things_of
from ..rig.pose_writer import arrange, give_back, take_over
from ..rig.thing_channels import (
    are_there,
    give_back_things,
    let_copies_stand,
    objects_of,
    take_over_things,
    take_places,
)
from . import outside_changes
from .edited_curves import note_curves
from .patience import nobody_waits
from .refusals import remember
from .unkeyed import edits_kept

#: What went wrong with an object in the frame handler, where no operator can report it; shown by the panel.
_problems: Measured[str] = Measured()
#: session_uid of live plants.
_live: set[int] = set()
_looked_through = False  # the file that is open, for live plants
_keeps_edits = True  # of keyed values, when plants are shown again


def problem_of(obj: bpy.types.Object) -> str:
    """What last went wrong while playing, or an empty string; also when the plant has been changed since."""
    return _problems.of(obj) or ""


def forget_problem(obj: bpy.types.Object) -> None:
    """Say no more what went wrong."""
    _problems.forget(obj)


def set_problem(obj: bpy.types.Object, problem: str) -> None:
    """Say what went wrong, until the plant is changed."""
    _problems.keep(obj, problem)


def find_live() -> None:
    """Look through the file for live plants, after loading or undo."""
    global _looked_through
    _looked_through = True
    _live.clear()
    _live.update(obj.session_uid for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.plant_dynamics.live)


def find_live_again() -> None:
    """The same after undo or redo: where that has taken the last live plant's motion away, what plays it stops too."""
    before = bool(_live)
    find_live()
    if before and not _live and is_playing():
        bpy.app.timers.register(stop_playing, first_interval=0.0)  # not in the middle of Blender's undo


def _live_ones() -> set[int]:
    """The live plants by their session_uid. Blender shows no data while it enables add-ons, so that those of a file
    that was open before can only be found later."""
    if not _looked_through:
        find_live()
        note_outside()
    return _live


def forget_ended_grabs() -> None:
    """Whoever is no longer live is not held by the mouse, after undo."""
    forget_grabs(but=_live)


def forget_all() -> None:
    """Forget everything about the file that is being left."""
    global _looked_through, _keeps_edits
    _looked_through, _keeps_edits = False, True
    _live.clear()
    memory.forget_all()


def is_live(obj: bpy.types.Object) -> bool:
    """Whether the object's bones follow the simulation. A copy of a live object does not, until Play."""
    return obj.plant_dynamics.live and obj.session_uid in _live_ones()


def part_from_original(obj: bpy.types.Object) -> None:
    """Let the copy of a live plant, that is to be simulated, have nothing to do with its original."""
    if obj.plant_dynamics.live and not is_live(obj):
        let_copies_stand(obj)


def go_live(obj: bpy.types.Object) -> None:
    """From now on the object's bones follow the simulation."""
    take_over(obj)
    take_over_things(obj)
    obj.plant_dynamics.live = True
    _live_ones().add(obj.session_uid)
    forget_problem(obj)


def stop_live(obj: bpy.types.Object) -> None:
    """Give the bones back as they were before, and forget the simulation."""
    if not obj.plant_dynamics.is_baked:
        give_back(obj)
        give_back_things(obj)
    retire(obj)
    close_session(obj)


def retire(obj: bpy.types.Object) -> None:
    """Stop being live but keep the pose and the cache, without what the mouse has held: keyframes take over."""
    session = session_of(obj)
    if session is not None:
        session.forget_grabs()
    obj.plant_dynamics.live = False
    _live.discard(obj.session_uid)
    forget_problem(obj)


def current_session(
    obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, outdated: bool
) -> Session:
    """The object's session, read anew where it is outdated."""
    session = session_of(obj)
    if session is None or outdated:
        take_changed(obj)
        if obj.plant_dynamics.live:
            arrange(obj)
        session = open_session(obj, scene, depsgraph)
    return session


def is_outdated(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether the object has no session, or its settings, its bones, the things that it moves or the scene's time base
    have changed."""
    session = session_of(obj)
    if session is None or is_changed(obj) or not session.is_of(obj.data):
        return True
    if bpy.app.background and session.plant.led_as != led_as(obj):
        return True  # by a script: of what it edits between frames nobody is told
    return session.recording.time_base != time_base(scene) or not are_there(obj, session.plant.things, scene)


def forget_samples() -> None:
    """Animation has been edited: look at every frame of the scene again before showing the next one."""
    clear_sessions(_live)
    for obj in bpy.data.objects:
        if obj.session_uid in _live:
            object_changed(obj)  # other bones may follow keys now


def note_outside() -> None:
    """Take what acts on live plants as it is now: after loading, undo and Play."""
    note_curves()
    for scene in bpy.data.scenes:
        outside_changes.note(scene, live_plants(scene))


def look_outside(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Something in Blender has been edited: look at every frame again if it acts on live plants."""
    plants = live_plants(scene)
    _stop_deleted(scene)
    frame, share = place_in_time(scene)
    for obj in plants:
        session = session_of(obj)
        if session is not None and not are_there(obj, session.plant.things, scene):
            object_changed(obj)
            show_soon()
        elif session is not None and not share and _are_things_put(obj, session, frame):
            inputs_changed(obj)
    anew, moved = outside_changes.changed(scene, depsgraph, plants) if plants else ([], [])
    once = EvaluationCache()
    for obj in anew:
        inputs_changed(obj)
    for obj in moved:
        session = session_of(obj)
        if session is None:
            disk_cache.doubt({obj.session_uid})
        elif depsgraph.view_layer != layer_of(obj, scene):
            show_soon()
        elif session.recording.end_frame >= frame and not is_changed(obj):
            if share:
                session.drop_samples(frame + 1)
                continue
            with suppress(PlantError):  # the next frame that is shown tells it
                session.see(obj, scene, depsgraph, frame, once, by_hand=True)


def _are_things_put(obj: bpy.types.Object, session: Session, frame: int) -> bool:
    """Whether the user has put what the plant moves elsewhere, at the first frame, which is shown."""
    if frame != session.recording.start_frame or not session.plant.things or not len(session.known):
        return False
    if is_changed(obj) or are_inputs_changed(obj):
        return False
    return take_places(objects_of(obj, session.plant.things), session.known.frames[0].things)


def _stop_deleted(scene: bpy.types.Scene) -> None:
    """Blender's Delete has left live plants to those that still name them: what they moved is where it was, and is
    nobody's."""
    if len(_live_ones()) == sum(is_live(obj) for obj in dynamic_objects(scene)):
        return
    for obj in [one for one in bpy.data.objects if one.session_uid in _live and not one.users_scene]:
        things = things_of(obj)
        stop_live(obj)
        for thing in things:
            thing.plant_dynamics.thing.plant = None


def show_soon() -> None:
    """Show the current frame again when Blender is idle.

    Not at once: other frames may have to be looked at, and Blender crashes when that is done in the middle of its
    evaluation of the scene.
    """
    if _live_ones() and not bpy.app.background and not bpy.app.timers.is_registered(show_now):
        bpy.app.timers.register(show_now, first_interval=0.0)


def show_after_undo() -> None:
    """The same after undo or redo, which may have brought keyed values of another frame: these are no edits to keep."""
    global _keeps_edits
    _keeps_edits = not _live_ones()
    show_soon()


def show_now() -> None:
    """Show the present frames of all windows again, whoever else is called at a frame being called too."""
    global _keeps_edits
    keeping, _keeps_edits = edits_kept() if _keeps_edits else nullcontext(), True
    windows = bpy.context.window_manager.windows
    playing = {window.scene for window in windows if window.screen.is_animation_playing}
    with keeping, nobody_waits():
        for scene in {window.scene for window in windows} - playing:
            show_again(scene)


def go_back(scene: bpy.types.Scene, frame: int, share: float) -> None:
    """Stand where the scene stood before its frames were walked through. In the window live plants are posed when it is
    idle: nothing is simulated while it waits."""
    if bpy.app.background:
        scene.frame_set(frame, subframe=share)
        return
    return_to(scene, (frame, share))
    show_soon()


def trouble_of(obj: bpy.types.Object) -> Trouble | None:
    """Why the object's simulated motion is not its own, if so and as long as nothing has been changed since."""
    if is_changed(obj) or are_inputs_changed(obj):
        return None
    session = session_of(obj)
    return session.trouble() if session is not None else trouble_on_disk(obj)


def are_unsettled(objects: Iterable[bpy.types.Object]) -> bool:
    """Whether any of the plants was to begin at rest and found none."""
    return any(trouble is not None and trouble.kind == "UNSETTLED" for trouble in map(trouble_of, objects))


def live_sessions(scene: bpy.types.Scene) -> list[Session]:
    """The sessions of the scene's live plants."""
    return [session for obj in live_plants(scene) if (session := session_of(obj)) is not None]


def live_plants(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Plants of the scene whose bones follow the simulation, and not the keys of a bake."""
    if not _live_ones():
        return []
    return [obj for obj in dynamic_objects(scene) if is_live(obj) and not obj.plant_dynamics.is_baked]


@contextmanager
def stopping_on_error(obj: bpy.types.Object) -> Iterator[None]:
    """What cannot be simulated stops being live, and the panel tells why."""
    try:
        yield
    except (PlantError, SolverError) as error:
        stop_live(obj)
        set_problem(obj, str(error))
        remember(error)
