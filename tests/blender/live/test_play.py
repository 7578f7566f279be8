# SPDX-License-Identifier: GPL-3.0-or-later
"""Play: the same motion however frames are visited, at every frame rate, from an equilibrium."""

import random
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.renders import film
from tests.forms import IS_FULL

FRAMES = range(1, 32)


@pytest.fixture
def pushed(fresh):
    """A potted plant whose pot is pushed and stopped."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.grow("potted_plant", pot=True)
    plants.key_location(obj, {1: (0, 0, 0.1), 6: (0, 0, 0.1), 14: (0.3, 0, 0.1), 40: (0.3, 0, 0.1)})
    return obj


def test_a_settled_plant_stays_where_it_is(fresh, run_operator):
    bpy.context.scene.frame_end = 100
    obj = plants.grow("inflorescence")
    run_operator("play")
    poses = plants.played(obj, range(1, 101))
    assert np.abs(poses[:, :, :3, 3] - poses[0, :, :3, 3]).max() < 1e-4
    assert np.abs(poses[0] - _rest(obj)).max() > 1e-3, "weight must show in the first frame"


def _rest(obj):
    world = np.array(obj.matrix_world)
    return np.array([world @ np.array(bone.matrix_local) for bone in obj.data.bones])


def test_a_pushed_pot_makes_the_plant_lag_and_swing(pushed, run_operator):
    run_operator("play")
    tips, bases = [], []
    farthest = max(pushed.data.bones, key=lambda b: b.head_local.length).name
    for frame in FRAMES:
        plants.show(frame)
        tips.append(plants.tip(pushed, farthest)[0])
        bases.append(plants.matrices(pushed)[0][0, 3])
    lag = np.array(tips) - np.array(bases)
    assert lag[9] < lag[0] - 0.005, "while the pot speeds up the tip stays behind"
    assert lag[14:].max() > lag[0] + 0.005, "after the stop the tip overshoots"


def test_frames_in_any_order_show_what_straight_play_shows(pushed, run_operator):
    run_operator("play")
    straight = plants.played(pushed, FRAMES)
    run_operator("reset")
    run_operator("play")
    chance = random.Random(3)
    for frame in [chance.choice(FRAMES) for _ in range(60)]:
        plants.show(frame)
        assert np.array_equal(plants.matrices(pushed), straight[frame - 1]), f"frame {frame}"


def test_a_change_of_material_while_playing_restarts_the_motion(pushed, run_operator):
    run_operator("play")
    plants.played(pushed, FRAMES)
    pushed.plant_dynamics.layout = "mid"
    plants.show(20)
    changed = plants.matrices(pushed)
    run_operator("reset")
    run_operator("play")
    plants.played(pushed, range(1, 21))
    assert np.array_equal(plants.matrices(pushed), changed)


def test_keys_edited_while_live_count_at_once_even_when_jumping(pushed, run_operator):
    run_operator("play")
    plants.show(5)
    plants.key_location(pushed, {10: (-0.2, 0.1, 0.1)})
    bpy.context.view_layer.update()
    plants.show(12)
    jumped = plants.matrices(pushed)
    run_operator("reset")
    run_operator("play")
    plants.played(pushed, range(1, 13))
    assert np.array_equal(plants.matrices(pushed), jumped)


def test_jumping_over_frames_that_were_never_seen(pushed, run_operator):
    bpy.context.scene.frame_end = 5  # Play looks ahead to here
    run_operator("play")
    plants.show(30)
    jumped = plants.matrices(pushed)
    run_operator("reset")
    bpy.context.scene.frame_end = 40
    run_operator("play")
    plants.played(pushed, range(1, 31))
    assert np.array_equal(plants.matrices(pushed), jumped)


def test_what_was_looked_at_is_known_when_playing_begins(fresh, run_operator):
    bpy.context.scene.frame_end = 20
    obj = plants.chain(3)
    obj.pose.bones["Bone.1"].rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (20, 0.4)):
        obj.pose.bones["Bone.1"].rotation_euler.x = angle
        obj.pose.bones["Bone.1"].keyframe_insert("rotation_euler", frame=frame)
    run_operator("make_dynamic")
    run_operator("play")
    bpy.ops.object.select_all(action="SELECT")
    bpy.context.view_layer.update()
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    assert session.recording.end_frame == 21, "with one more for motion blur"
    assert session.end_frame == 20


def test_a_value_changed_while_paused_counts_from_the_first_frame(pushed, run_operator):
    run_operator("play")
    plants.show(20)
    before = plants.matrices(pushed)
    pushed.plant_dynamics.gravity_factor = 3.0
    bpy.context.view_layer.update()
    plants.show(20)
    changed = plants.matrices(pushed)
    assert np.abs(changed - before).max() > 1e-3
    run_operator("reset")
    run_operator("play")
    plants.played(pushed, range(1, 21))
    assert np.array_equal(plants.matrices(pushed), changed)


def test_a_moved_handle_changes_the_motion_from_then_on(fresh, run_operator):
    obj = plants.grow("broad_leaf")
    bone = plants.tip_bone(obj)
    run_operator("add_pull")
    handle = obj.plant_dynamics.loads[0].target
    run_operator("play")
    plants.played(obj, range(1, 11))
    before = plants.tip(obj, bone)
    handle.location.x += 0.1
    plants.played(obj, range(11, 60))
    assert plants.tip(obj, bone)[0] > before[0] + 0.05


def _gravity(obj, field, constraint):
    bpy.context.scene.gravity = (1.0, 0.0, -4.0)


def _gravity_off(obj, field, constraint):
    bpy.context.scene.use_gravity = False


def _strength(obj, field, constraint):
    field.field.strength = -8.0


def _hidden_field(obj, field, constraint):
    field.hide_viewport = True


def _influence(obj, field, constraint):
    constraint.influence = 0.3


def _target(obj, field, constraint):
    constraint.target = field


def _expression(obj, field, constraint):
    """Nothing changes in the frames up to the shown one."""
    obj.animation_data.drivers[0].driver.expression = "0.01 * frame + 0.01 * max(0, frame - 22)"


def _expression_before(obj, field, constraint):
    obj.animation_data.drivers[0].driver.expression = "0.01 * frame + 0.02 * max(0, 12 - frame)"


OUTSIDE = [_gravity_off, _strength, _hidden_field, _target, _expression_before]
OUTSIDE += [_gravity, _influence, _expression] if IS_FULL else []  # another of the scene, a constraint and a driver


@pytest.fixture
def driven(pushed, run_operator, select_only):
    """The pushed plant, live, with a driver, near a force field, drawn to a moving Empty by a constraint."""
    bpy.ops.object.effector_add(type="FORCE", location=(0.6, -0.5, 0.2))
    field = bpy.context.object
    field.field.strength = 3.0
    drawn_to = bpy.data.objects.new("Drawn to", None)
    bpy.context.scene.collection.objects.link(drawn_to)
    plants.key_location(drawn_to, {1: (0, 0, 0), 20: (0, 0.4, 0)})
    constraint = pushed.constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset, constraint.use_x = drawn_to, True, False
    pushed.driver_add("rotation_euler", 2).driver.expression = "0.01 * frame"
    select_only(pushed)
    run_operator("play")
    return pushed, field, constraint


@pytest.mark.parametrize("change", OUTSIDE)
def test_what_is_set_elsewhere_in_blender_counts_from_the_first_frame(driven, run_operator, change):
    obj = driven[0]
    before = plants.played(obj, FRAMES)
    plants.show(20)
    change(*driven)
    bpy.context.view_layer.update()
    plants.show(30)
    shown = [plants.matrices(obj)]
    plants.show(12)
    shown.append(plants.matrices(obj))
    run_operator("reset")
    run_operator("play")
    anew = plants.played(obj, FRAMES)
    assert np.abs(anew - before).max() > 1e-3
    assert np.array_equal(shown[0], anew[29])
    assert np.array_equal(shown[1], anew[11])


def test_what_does_not_act_on_the_plant_is_not_looked_at(driven, fresh, monkeypatch):
    obj, field, _ = driven
    plants.played(obj, FRAMES)
    other = plants.chain(2, name="Unrelated")
    bpy.context.view_layer.update()
    plants.show(20)
    live = module(fresh, "dynamics.live.live")
    monkeypatch.setattr(live, "inputs_changed", lambda obj: pytest.fail("looks at every frame again"))
    other.location.x = 3.0
    bpy.context.view_layer.update()
    bpy.context.scene.frame_end = 60
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="SELECT")
    bpy.context.view_layer.update()
    field.location.x += 0.1  # moved by hand
    bpy.context.view_layer.update()
    plants.show(21)


@pytest.mark.parametrize("change", [_gravity, _strength, _expression] if IS_FULL else [_gravity, _expression])
def test_a_render_simulates_anew_after_a_change(driven, tmp_path, change, capsys):
    """Without a window it can look at the frames first."""
    obj = driven[0]
    plants.played(obj, FRAMES)
    plants.show(20)
    scene = film(tmp_path)
    change(*driven)
    bpy.context.view_layer.update()
    scene.frame_step = 29
    bpy.ops.render.render(animation=True)
    found = capsys.readouterr()
    assert "simulating up to frame 30" in found.out + found.err
    assert "bake or play first" not in found.out


@pytest.mark.parametrize("opened", [False, True])
def test_a_render_simulates_anew_only_after_a_handle_has_moved(fresh, run_operator, tmp_path, capsys, opened):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    run_operator("add_pull")
    obj.plant_dynamics.use_disk_cache = True
    bpy.context.scene.frame_end = 40
    run_operator("play")
    plants.played(obj, FRAMES)
    plants.show(5)
    name = obj.name
    film(tmp_path).frame_step = 29
    if opened:
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
        obj = bpy.data.objects[name]
    for moves in (False, True):
        obj.plant_dynamics.loads[0].target.location.z += 0.2 * moves
        bpy.context.view_layer.update()
        bpy.ops.render.render(animation=True)
        found = capsys.readouterr()
        assert ("simulating up to frame 30" in found.out + found.err) == moves
        assert "bake or play first" not in found.out
        if not moves and not opened:
            plants.show(5)


def test_reset_gives_the_pose_back(fresh, run_operator):
    obj = plants.chain()
    run_operator("make_dynamic")
    obj.pose.bones["Bone.2"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    plants.show(1)
    before = plants.matrices(obj)
    run_operator("play")
    plants.played(obj, range(1, 10))
    assert np.abs(plants.matrices(obj) - before).max() > 1e-3
    run_operator("reset")
    assert np.abs(plants.matrices(obj) - before).max() < 1e-6


def test_a_live_plant_goes_on_after_saving_and_loading(pushed, run_operator, tmp_path):
    run_operator("play")
    straight = plants.played(pushed, FRAMES)
    path = str(tmp_path / "live.blend")
    name = pushed.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects[name]
    assert np.array_equal(plants.played(obj, FRAMES), straight)


def test_render_shows_the_cached_motion(pushed, run_operator, tmp_path):
    scene = film(tmp_path)
    run_operator("play")
    straight = plants.played(pushed, FRAMES)
    plants.show(1)
    seen = {}

    def look(scene, *_):
        seen[scene.frame_current] = plants.matrices(pushed)

    bpy.app.handlers.render_post.append(look)
    scene.frame_start, scene.frame_end, scene.frame_step = 1, 12, 5
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.render_post.remove(look)
    assert sorted(seen) == [1, 6, 11]
    assert len(list(tmp_path.glob("frame_*"))) == 3
    plants.show(11)
    assert np.array_equal(plants.matrices(pushed), straight[10])


def test_a_frame_that_was_never_played_renders_as_it_would_play(pushed, run_operator, tmp_path):
    scene = film(tmp_path)
    run_operator("play")
    seen = {}

    def look(scene, *_):
        seen[scene.frame_current] = np.array([b.rotation_quaternion for b in pushed.pose.bones])

    bpy.app.handlers.render_post.append(look)
    try:
        scene.frame_start, scene.frame_end, scene.frame_step = 1, 40, 20
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.render_post.remove(look)
    plants.show(21)
    assert np.allclose(seen[21], [b.rotation_quaternion for b in pushed.pose.bones], atol=1e-6)


def test_reset_gives_the_pose_back_after_loading(fresh, run_operator, tmp_path):
    obj = plants.chain()
    run_operator("make_dynamic")
    obj.pose.bones["Bone.2"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    run_operator("play")
    plants.show(5)
    path = str(tmp_path / "live.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    run_operator("reset")
    assert tuple(bpy.data.objects["Chain"].pose.bones["Bone.2"].rotation_quaternion) == pytest.approx((0.8, 0.6, 0, 0))


def test_a_renamed_plant_plays_on_and_a_copy_plays_after_play(pushed, run_operator, select_only):
    run_operator("play")
    straight = plants.played(pushed, range(1, 13))
    pushed.name = "Renamed"
    plants.show(12)
    assert np.array_equal(plants.matrices(pushed), straight[-1])
    select_only(pushed)
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy != pushed
    run_operator("play")
    plants.played(copy, range(1, 13))
    assert np.abs(plants.matrices(copy) - straight[-1]).max() < 1e-6


def test_deleting_a_playing_plant_does_no_harm(pushed, run_operator):
    run_operator("play")
    plants.show(5)
    bpy.data.objects.remove(pushed)
    plants.show(6)


def test_a_later_start_shows_its_first_frame_before_it(pushed, run_operator):
    run_operator("play")
    plants.show(20)
    bpy.context.scene.frame_start = 10
    plants.show(5)
    assert pushed.plant_dynamics.live
    early = plants.matrices(pushed)
    plants.show(10)
    assert np.abs(plants.matrices(pushed)[:, :3, :3] - early[:, :3, :3]).max() < 1e-3


def test_what_has_changed_is_forgotten_with_its_file(fresh, run_operator):
    changes, obj = module(fresh, "changes"), plants.chain(3)
    of_the_same_number = SimpleNamespace(session_uid=obj.session_uid)
    run_operator("make_dynamic")
    obj.plant_dynamics.stiffness_factor = 2.0
    assert changes.version(obj)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not changes.version(of_the_same_number)
    assert not changes.is_changed(of_the_same_number)
