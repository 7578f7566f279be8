# SPDX-License-Identifier: GPL-3.0-or-later
"""Dragging branches with the mouse: what is held is part of the motion, and can be kept as handles."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
TIP = "Bone.5"


def part(name):
    return importlib.import_module(f"{ADDON}.{name}")


@pytest.fixture
def live(fresh, run_operator):
    """A chain that plays, at frame 1, and its session."""
    bpy.context.scene.frame_end = 60
    obj = plants.chain(6)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    return obj, part("dynamics.motion.sessions").session_of(obj)


def drag(obj, session, frames=range(2, 15), along=1.0, step=0.01):
    """Hold the last bone after frame 1, move it to the side and up with every frame, and let go."""
    start = plants.tip(obj, TIP)
    rod, grab_of = session.plant.rod_of(TIP), part("dynamics.surroundings.samples").Pull
    first = True
    for number, frame in enumerate(frames, start=1):
        target = start + np.array([0.0, step, 0.5 * step]) * number
        grab = grab_of(rod, along, tuple(target.tolist()), session.plant.handle_stiffness(rod))
        if first:
            session.hold(grab, bpy.context.scene.frame_current)
            first = False
        else:
            session.recording.grabs.held = grab
        plants.show(frame)
    held = plants.tip(obj, TIP)
    session.recording.grabs.let_go()
    return target, held


def test_the_branch_follows_the_mouse_and_springs_back(live):
    obj, session = live
    rest = plants.tip(obj, TIP)
    target, held = drag(obj, session)
    assert np.abs(held - target).max() < 0.15 * np.abs(target - rest).max()
    after = [plants.tip(obj, TIP) for frame in range(15, 61) if plants.show(frame) is None]
    assert np.abs(after[-1] - rest).max() < 0.1 * np.abs(held - rest).max()
    assert min(tip[1] for tip in after) < rest[1], "it swings through"


def test_what_was_held_is_shown_again_in_any_order(live):
    obj, session = live
    drag(obj, session)
    for frame in range(15, 31):
        plants.show(frame)
    straight = plants.played(obj, range(1, 31))
    for frame in (20, 3, 30, 8, 14, 15, 2, 29, 1):
        plants.show(frame)
        assert np.array_equal(plants.matrices(obj), straight[frame - 1])


def test_skipped_frames_are_held_too(live):
    obj, session = live
    drag(obj, session, frames=range(2, 15, 3))
    assert sorted(session.recording.grabs.frames)[:13] == list(range(2, 15))
    steps = np.diff([session.recording.grabs.frames[frame].target[1] for frame in range(2, 15)])
    assert steps == pytest.approx(np.full(12, steps[0]), abs=1e-12)


def test_forgetting_gives_the_motion_from_before(live):
    obj, session = live
    before = plants.played(obj, range(1, 41))
    plants.show(1)
    drag(obj, session)
    plants.show(20)
    assert np.abs(plants.matrices(obj) - before[19]).max() > 1e-3
    session.forget_grabs()
    assert np.array_equal(plants.played(obj, range(1, 41)), before)


@pytest.mark.parametrize("along", [1.0, 0.4])
def test_kept_handles_repeat_the_motion(live, run_operator, along):
    obj, session = live
    drag(obj, session, along=along)
    for frame in range(15, 21):
        plants.show(frame)
    drag(obj, session, frames=range(21, 27), along=along, step=-0.01)
    held = plants.played(obj, range(1, 41))
    handles = part("dynamics.live.grab_handles").keep_as_handles(obj, session)
    part("changes").inputs_changed(obj)
    assert len(handles) == len(obj.plant_dynamics.loads) == 2
    assert not session.recording.grabs.frames
    assert np.abs(plants.played(obj, range(1, 41)) - held).max() < 1e-5
    run_operator("bake")
    assert np.abs(plants.played(obj, range(1, 41)) - held).max() < 2e-5


def test_other_settings_keep_what_is_held(live):
    obj, session = live
    drag(obj, session)
    plants.show(20)
    obj.plant_dynamics.damping_time = 0.2
    plants.show(20)
    again = part("dynamics.motion.sessions").session_of(obj)
    assert again is not session
    assert sorted(again.recording.grabs.frames) == list(range(2, 16))


def drag_on(obj, session):
    """The chain's motion without the mouse, after which it is dragged and shown up to frame 20."""
    before = plants.played(obj, range(1, 41))
    plants.show(1)
    drag(obj, session)
    for frame in range(15, 21):
        plants.show(frame)
    assert np.abs(plants.matrices(obj) - before[19]).max() > 1e-3
    return before


def test_a_bake_has_no_part_of_a_drag_that_was_not_kept(live, run_operator):
    obj, session = live
    before = drag_on(obj, session)
    run_operator("bake")
    assert np.abs(plants.played(obj, range(1, 41)) - before).max() < 2e-5
    run_operator("clear_bake")
    run_operator("play")
    assert np.array_equal(plants.played(obj, range(1, 41)), before)


def test_a_drag_goes_with_the_plants_being_live(live, run_operator):
    obj, session = live
    before = drag_on(obj, session)
    part("dynamics.live.live").retire(obj)
    assert not session.recording.grabs.frames
    run_operator("play")
    assert np.array_equal(plants.played(obj, range(1, 41)), before)


def test_an_undo_to_before_play_forgets_the_drag(fresh, run_operator):
    bpy.context.scene.frame_end = 60
    obj = plants.chain(6)
    run_operator("make_dynamic")
    bpy.ops.ed.undo_push(message="Made")
    run_operator("play")
    before = drag_on(obj, part("dynamics.motion.sessions").session_of(obj))
    bpy.ops.ed.undo_push(message="Dragged")
    bpy.ops.ed.undo()
    assert bpy.data.objects["Chain"].plant_dynamics.live  # Play is a step of its own
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Chain"]
    assert not obj.plant_dynamics.live
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    assert np.array_equal(plants.played(obj, range(1, 41)), before)


def test_the_end_of_grab_forgets_the_drags_of_all_plants(live, select_only):
    """Also where a plant is no longer among those that can be held, as in another scene."""
    obj, session = live
    drag(obj, session)
    forget = part("dynamics.motion.sessions").forget_grabs
    forget(but=[obj.session_uid])
    assert session.recording.grabs.frames
    bpy.context.scene.collection.objects.unlink(obj)
    forget()
    assert not session.recording.grabs.frames


def test_a_saved_cache_has_no_frames_that_were_dragged(live, tmp_path):
    obj, session = live
    obj.plant_dynamics.use_disk_cache = True
    before = plants.played(obj, range(1, 41))
    plants.show(5)
    start = plants.tip(obj, TIP)
    drag(obj, session, frames=range(6, 15))
    assert np.abs(plants.tip(obj, TIP) - start).max() > 1e-3
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    disk = part("dynamics.cache.disk_cache")
    assert disk.sure_frames(obj) == 5
    assert disk.file_of(obj).last_frame == 5
    assert "Grab" in disk.note_of(obj)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    obj = bpy.data.objects["Chain"]
    assert disk.sure_frames(obj) == 5
    assert np.array_equal(plants.played(obj, range(1, 41)), before)


def test_a_cache_of_dragged_frames_only_is_not_saved(live, tmp_path):
    obj, session = live
    obj.plant_dynamics.use_disk_cache = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    drag(obj, session, frames=[1, 2, 3])
    with pytest.raises(RuntimeError, match="Grab"):
        bpy.ops.plant_dynamics.save_cache()


def test_grab_needs_a_plant_in_motion(fresh):
    plants.chain(3)
    bpy.ops.plant_dynamics.make_dynamic()
    assert not bpy.ops.plant_dynamics.grab.poll()
    bpy.ops.plant_dynamics.play()
    assert bpy.ops.plant_dynamics.grab.poll()


def test_the_nearest_branch_is_taken():
    nearest = part("dynamics.surroundings.grabs").nearest_on_lines
    heads, tails = np.array([[0.0, 0.0], [10.0, 0.0], [1e7, 1e7]]), np.array([[10.0, 0.0], [10.0, 10.0], [1e7, 1e7]])
    assert nearest(heads, tails, np.array([2.5, 1.0])) == (0, 0.25, 1.0)
    assert nearest(heads, tails, np.array([13.0, 14.0])) == (1, 1.0, 5.0)
