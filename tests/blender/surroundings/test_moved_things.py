# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that plants move: played, scrubbed, baked, cleared and refused."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, plant, primitive
from tests.blender.scenes.drawn_panels import Layout

FRAMES = range(1, 31)


@pytest.fixture
def obj(fresh, run_operator):
    """A chain along X at 0.3 m above a ground."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plant(run_operator)
    obj.plant_dynamics.stiffness_factor = 1.0
    ground = collide(primitive("plane", "Ground", size=4.0))
    ground.plant_dynamics.collider.shape = "PLANE"
    return obj


@pytest.fixture
def ball(obj, run_operator, select_only):
    """One above the chain's end, turned, in Euler angles."""
    ball = primitive("uv_sphere", "Ball", radius=0.03, location=(0.35, 0.0, 0.36))
    ball.rotation_euler = (0.3, -0.2, 0.5)
    select_only(obj, ball)
    run_operator("move_with_plant")
    return ball


def places(one: bpy.types.Object, frames=FRAMES) -> np.ndarray:
    """(frames, 4, 4) world matrices when the frames are shown one after the other."""
    found = []
    for frame in frames:
        plants.show(frame)
        found.append(np.array(one.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world))
    return np.array(found)


def state(one: bpy.types.Object) -> tuple:
    return (*one.location, one.rotation_mode, *one.rotation_euler, *one.rotation_quaternion, one.animation_data is None)


def go_live():
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)


def test_a_ball_falls_on_the_twig_and_bends_it(obj, ball):
    before = state(ball)
    go_live()
    moved = places(ball)
    assert np.abs(moved[0, :3, 3] - (0.35, 0.0, 0.36)).max() < 1e-6
    assert moved[-1, 2, 3] < 0.3
    assert moved[:, 2, 3].min() > 0.029, "the ground holds it"
    tips = np.array([plants.show(f) or plants.tip(obj, "Bone.3") for f in FRAMES])
    alone = tips[:, 2].min()
    assert bpy.ops.plant_dynamics.reset() == {"FINISHED"}
    assert state(ball) == before
    bpy.ops.plant_dynamics.leave_in_place(thing="Ball")
    go_live()
    assert np.array([plants.show(f) or plants.tip(obj, "Bone.3") for f in FRAMES])[:, 2].min() > alone + 1e-3


def test_it_is_the_same_whatever_frames_are_shown_and_as_keys(fresh, obj, ball, run_operator, select_only):
    before = state(ball)
    go_live()
    forth = places(ball)
    for frame in (12, 3, 30, 7):
        assert (places(ball, [frame])[0] == forth[frame - 1]).all()
    bpy.context.scene.frame_set(12, subframe=0.5)
    between = np.array(ball.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)[:3, 3]
    assert between == pytest.approx(0.5 * (forth[11] + forth[12])[:3, 3], abs=1e-6)
    select_only(obj)
    run_operator("bake")
    curves = plants.curves(ball.animation_data.action)
    assert {path for path, _ in curves} == {"location", "rotation_quaternion"}
    assert all(len(keys) == len(FRAMES) for keys in curves.values())
    assert np.abs(places(ball) - forth).max() < 1e-5
    run_operator("clear_bake")
    assert state(ball) == before
    assert not [action for action in bpy.data.actions if action.name.startswith("Ball")]


def test_it_lands_as_softly_as_its_plant(fresh, obj, ball):
    """With 0.1 s it is braked, and the twig bent, from 0.2 m above on at 2 m/s; with 2 ms it falls freely till then."""
    ball.location.z = 0.6
    lowest = []
    for landing_time in (0.002, 0.1):
        obj.plant_dynamics.landing_time = landing_time
        go_live()
        fallen = places(ball, range(1, 7))[:, 2, 3]
        lowest.append(fallen[-1])
        assert bpy.ops.plant_dynamics.reset() == {"FINISHED"}
    assert lowest[0] == pytest.approx(0.6 - 0.5 * 9.81 * (5 / 24) ** 2, abs=5e-4)
    assert lowest[1] > lowest[0] + 0.003


def test_own_keys_lead_it_until_it_is_let_go(obj, ball):
    """It is carried along X for eight frames, and flies on."""
    plants.key_location(ball, {1: (0.0, 0.5, 0.6), 9: (0.4, 0.5, 0.6)}, "LINEAR")
    thing = ball.plant_dynamics.thing
    for frame, held in ((1, True), (8, True), (9, False)):
        thing.is_held = held
        thing.keyframe_insert("is_held", frame=frame)
    go_live()
    moved = places(ball)[:, :3, 3]
    assert moved[4] == pytest.approx((0.2, 0.5, 0.6), abs=1e-4)
    assert moved[8] == pytest.approx((0.4, 0.5, 0.6), abs=2e-3)
    assert moved[12, 0] == pytest.approx(0.6, abs=0.01)
    assert moved[12, 2] < 0.6 - 0.05


def test_a_cube_and_a_stone_fall_and_lie_on_the_ground(obj, run_operator, select_only):
    cube = primitive("cube", "Cube", size=0.1, location=(1.0, 0.0, 0.1))
    stone = primitive("ico_sphere", "Stone", radius=0.05, subdivisions=1, location=(1.0, 1.0, 0.1))
    stone.scale = (1.5, 1.0, 0.7)
    select_only(obj, cube, stone)
    run_operator("move_with_plant")
    go_live()
    assert places(cube)[-1, 2, 3] == pytest.approx(0.05, abs=0.002)
    assert 0.02 < places(stone)[-1, 2, 3] < 0.05
    assert places(stone)[-1, :3, :3] == pytest.approx(places(stone)[-1, :3, :3])
    scaled = np.linalg.norm(places(stone)[-1, :3, :3], axis=0)
    assert scaled == pytest.approx((1.5, 1.0, 0.7), rel=1e-5)


def test_two_balls_meet(obj, ball, run_operator, select_only):
    other = primitive("uv_sphere", "Other", radius=0.03, location=(0.35, 0.01, 0.46))
    select_only(obj, other)
    run_operator("move_with_plant")
    go_live()
    away = np.linalg.norm(places(ball)[:, :3, 3] - places(other)[:, :3, 3], axis=1)
    assert away.min() > 0.0594


def test_what_leads_it_is_refused_with_its_name(obj, ball, run_operator):
    ball.parent = obj
    with pytest.raises(RuntimeError, match="'Ball', which the plant moves, has a parent"):
        bpy.ops.plant_dynamics.play()
    ball.parent = None
    ball.delta_location.x = 0.1
    with pytest.raises(RuntimeError, match="delta"):
        bpy.ops.plant_dynamics.play()


def test_what_cannot_be_moved_of_a_selection_is_named_and_the_rest_is_moved(fresh, obj, select_only, capfd):
    free, hung, tied = (primitive("cube", name, size=0.1, location=(1, 0, 1)) for name in ("Free", "Hung", "Tied"))
    hung.parent = obj
    tied.constraints.new("COPY_ROTATION")
    select_only(obj, free, hung, tied)
    assert bpy.ops.plant_dynamics.move_with_plant() == {"FINISHED"}
    assert [one.object.name for one in obj.plant_dynamics.things] == ["Free"]
    told = capfd.readouterr().out
    assert "Warning: 'Chain' moves 'Free', but not 'Hung', 'Tied'" in told
    select_only(obj, hung)
    with pytest.raises(RuntimeError, match="'Hung' has a parent or constraints"):
        bpy.ops.plant_dynamics.move_with_plant()
    carrier, fallen = (primitive("cube", name, size=0.1, location=(1, 0, 1)) for name in ("Carrier", "Fallen"))
    obj.parent = carrier
    select_only(obj, carrier)
    with pytest.raises(RuntimeError, match="'Carrier' carries the plant"):
        bpy.ops.plant_dynamics.move_with_plant()
    grown = of_addon(fresh, "commands").grow("potted_plant", pot=True)
    (pot,) = (one for one in grown.children if one.plant_dynamics.grown_part == "POT")
    select_only(grown, pot)
    with pytest.raises(RuntimeError, match="carries the plant, which cannot move it"):
        bpy.ops.plant_dynamics.move_with_plant()
    select_only(fallen)
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    select_only(obj, fallen)
    with pytest.raises(RuntimeError, match="'Fallen' is an active rigid body"):
        bpy.ops.plant_dynamics.move_with_plant()


@pytest.mark.parametrize("flaw", ["FLAT", "NO_FACES", "SCALE", "NOT_NUMBERS"])
def test_one_with_a_flaw_is_left_in_place_and_the_rest_goes_on(fresh, obj, ball, flaw, run_operator, select_only):
    other = primitive("plane" if flaw == "FLAT" else "cube", "Flawed", size=0.1, location=(1.0, 1.0, 1.0))
    if flaw == "NO_FACES":
        other.data = bpy.data.meshes.new("Empty")
    if flaw == "SCALE":
        other.scale = (0.0, 0.0, 0.0)
    if flaw == "NOT_NUMBERS":
        other.data.vertices[0].co.x = float("nan")
    select_only(obj, other)
    run_operator("move_with_plant")
    before = places(ball, [1])[0]
    go_live()
    assert of_addon(fresh, "dynamics.rig.things").why_not_moved(other) == flaw
    assert np.abs(places(ball)[-1] - before).max() > 0.01
    assert places(other)[-1, :3, 3] == pytest.approx((1.0, 1.0, 1.0))


def deleted_by_operator(ball, select_only):
    select_only(ball)
    assert bpy.ops.object.delete() == {"FINISHED"}
    bpy.context.view_layer.update()


def unlinked(ball, select_only):
    bpy.context.scene.collection.objects.unlink(ball)


def removed(ball, select_only):
    bpy.data.objects.remove(ball)


@pytest.mark.parametrize("way", [deleted_by_operator, unlinked, removed])
def test_the_plant_goes_on_without_a_deleted_one_and_lists_it_no_more(fresh, obj, ball, select_only, way):
    """Blender's Delete only unlinks what is still used."""
    other = primitive("uv_sphere", "Other", radius=0.03, location=(0.2, 0.0, 0.5))
    select_only(obj, other)
    bpy.ops.plant_dynamics.move_with_plant()
    go_live()
    with_both = [plants.show(f) or plants.tip(obj, "Bone.3") for f in FRAMES]
    plants.show(4)
    assert listed(obj) == ["Ball", "Other"]
    way(ball, select_only)
    moved = places(other)
    alone = [plants.show(f) or plants.tip(obj, "Bone.3") for f in FRAMES]
    assert of_addon(fresh, "dynamics.live.live").problem_of(obj) == ""
    assert listed(obj) == ["Other"]
    assert moved[-1, 2, 3] < 0.4, "the other still falls"
    assert np.abs(np.array(alone) - np.array(with_both)).max() > 1e-3


def test_a_hidden_one_is_moved_and_listed_on(obj, ball):
    go_live()
    forth = places(ball)
    ball.hide_set(True)
    bpy.context.view_layer.update()
    assert listed(obj) == ["Ball"]
    tips = [plants.show(f) or plants.tip(obj, "Bone.3") for f in FRAMES]
    ball.hide_set(False)
    bpy.context.view_layer.update()
    assert (places(ball) == forth).all()
    assert np.array_equal(tips, [plants.show(f) or plants.tip(obj, "Bone.3") for f in FRAMES])


def listed(obj):
    """The things in the plant's panel."""
    bpy.context.view_layer.objects.active = obj
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_contact.draw_plant(None, layout, obj, obj.plant_dynamics)
    return [button.thing for name, button in layout.operators if name.endswith("leave_in_place")]


def test_it_is_no_collider_while_it_is_moved(fresh, obj, ball):
    collide(ball)
    why = of_addon(fresh, "dynamics.surroundings.colliders").why_left_out
    assert why(ball, obj) == "MOVED"
    bpy.ops.plant_dynamics.leave_in_place(thing="Ball")
    assert why(ball, obj) == ""


def test_saved_frames_show_it_again(fresh, obj, ball, tmp_path):
    obj.plant_dynamics.use_disk_cache = True
    go_live()
    forth = places(ball)
    path = str(tmp_path / "ball.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    disk = of_addon(fresh, "dynamics.cache.disk_cache")
    _, frame, things = disk.rendered(bpy.data.objects[obj_name(fresh)], 20)
    assert [one.name for one in things] == ["Ball"]
    assert frame.things[0, :3] == pytest.approx(forth[19, :3, 3], abs=1e-6)


def obj_name(fresh) -> str:
    return next(one.name for one in bpy.data.objects if one.type == "ARMATURE")


def sampled(fresh, obj):
    return [world.things for world in of_addon(fresh, "dynamics.motion.sessions").session_of(obj).recording.worlds]


def key_held(ball, last):
    """Held up to this frame, and let go from there on."""
    for frame, held in ((1, True), (last, True), (last + 1, False)):
        ball.plant_dynamics.thing.is_held = held
        ball.keyframe_insert("plant_dynamics.thing.is_held", frame=frame)


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "QUATERNION", "AXIS_ANGLE"])
def test_where_it_begins_is_read_alike_before_and_while_it_is_moved(fresh, obj, ball, mode):
    """To the last bit, wherever it stands then: else its frames would not be known again."""
    ball.rotation_mode, ball.scale = mode, (1.0, -1.2, 0.7)
    ball.rotation_quaternion = (0.3, 0.4, -0.2, 0.84)
    ball.rotation_axis_angle = (0.7, 0.2, 0.9, 0.4)
    go_live()
    first, session = sampled(fresh, obj), of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    forth = places(ball)
    assert np.abs(forth[0] - forth[-1]).max() > 0.01
    of_addon(fresh, "dynamics.motion.sessions").close_session(obj)
    assert (places(ball) == forth).all()
    assert sampled(fresh, obj)[:1] == first[:1]
    again = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    assert again is not session
    assert again.plant.signature == session.plant.signature


def test_one_that_is_held_without_keys_of_its_place_stays_where_it_was(fresh, obj, ball):
    key_held(ball, 8)
    go_live()
    forth = places(ball)
    assert np.abs(forth[:8] - forth[0]).max() < 1e-6
    assert forth[-1, 2, 3] < forth[0, 2, 3] - 0.05
    of_addon(fresh, "dynamics.motion.sessions").close_session(obj)
    plants.show(30)
    assert (places(ball) == forth).all()


@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION"])
def test_one_that_is_held_turns_by_its_keys_whatever_its_rotation_mode(fresh, obj, ball, mode):
    ball.rotation_mode, ball.location.z = mode, 0.8
    path = "rotation_euler" if mode == "XYZ" else "rotation_quaternion"
    for frame, value in ((1, (0.0, 0.0, 0.0)), (9, (0.0, 0.0, 1.0))):
        ball.rotation_euler = value
        ball.rotation_quaternion = ball.rotation_euler.to_quaternion()
        ball.keyframe_insert(path, frame=frame)
    wanted = places(ball, range(1, 9))
    key_held(ball, 8)
    go_live()
    forth = places(ball)
    assert np.abs(forth[:8] - wanted).max() < 1e-5
    of_addon(fresh, "dynamics.motion.sessions").close_session(obj)
    plants.show(30)
    assert (places(ball) == forth).all()


def test_an_edit_elsewhere_does_not_take_it_for_moved_by_hand(fresh, obj, ball):
    """Blender has its keys in its place again only when the frame changes."""
    plants.key_location(ball, {1: (0.3, 0.0, 0.4), 9: (0.3, 0.0, 0.4), 10: (0.4, 0.1, 0.5)})
    key_held(ball, 4)
    go_live()
    forth, end = places(ball), of_addon(fresh, "dynamics.motion.sessions").session_of(obj).end_frame
    plants.show(20)
    bpy.data.objects["Ground"].location.x += 0.0  # what acts on the plant is looked at again
    bpy.context.view_layer.update()
    assert places(ball, [20])[0] == pytest.approx(forth[19])
    assert of_addon(fresh, "dynamics.motion.sessions").session_of(obj).end_frame == end
    assert (places(ball) == forth).all()


def test_another_one_while_it_plays_is_moved_from_the_first_frame_on(fresh, obj, ball, select_only):
    go_live()
    places(ball)
    plants.show(12)
    other = primitive("uv_sphere", "Another", radius=0.03, location=(0.2, 0.0, 0.5))
    select_only(obj, other)
    assert bpy.ops.plant_dynamics.move_with_plant() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert places(other, [13])[0][2, 3] < 0.4
    assert places(other, [1])[0][2, 3] == pytest.approx(0.5)
    bpy.ops.plant_dynamics.leave_in_place(thing="Ball")
    bpy.context.view_layer.update()
    assert places(ball, [14])[0] == pytest.approx(places(ball, [1])[0])
    assert len(sampled(fresh, obj)[0]) == 1
