# SPDX-License-Identifier: GPL-3.0-or-later
"""Saplings, imported skeletons, bones as Blender adds them, bendy bones, constraints: all work as they come."""

import importlib
from time import perf_counter

import bpy
import numpy as np
import pytest

from tests.blender.scenes import foreign_rigs, plants
from tests.blender.scenes.all_properties import differences, everything
from tests.blender.scenes.plants import select

_LAST = 24


@pytest.fixture(autouse=True)
def short_scene(fresh):
    bpy.context.scene.frame_end = _LAST


def corners(skin):
    """World places of the vertices of the evaluated mesh."""
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(evaluated.data.vertices), dtype=np.float32)
    evaluated.data.vertices.foreach_get("co", places)
    world = np.array(evaluated.matrix_world)
    return places.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]


def simulated_part(name):
    """Dynamic all of it, or of a character its tail and ears."""
    return name.startswith(("bone", "Tail", "Ear"))


@pytest.mark.parametrize("kind", ["sapling", "imported"])
def test_from_make_dynamic_to_clear_bake_all_is_as_before(run_operator, kind):
    obj, skin = getattr(foreign_rigs, kind)()
    scene = bpy.context.scene
    scene.frame_set(1)
    for bone in obj.pose.bones:
        assert bone.rotation_mode == ("XYZ" if kind == "sapling" else "QUATERNION")
    before = everything()
    drawn = corners(skin)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="POSE")
    select(obj, *[bone.name for bone in obj.data.bones if simulated_part(bone.name)])
    run_operator("make_dynamic", bones="SELECTED")
    run_operator("play")
    played = []
    for frame in (1, 10, _LAST):
        plants.show(frame)
        played.append(corners(skin))
    assert np.isfinite(played).all()
    hung = played[0][:, 2] - drawn[:, 2]
    size = np.ptp(drawn, axis=0).max()
    if kind == "sapling":  # whose thin branches no wood holds up
        assert np.abs(hung).max() < 0.002 * size, "it is held as it is drawn"
    else:
        assert -0.5 * size < hung.min() < -0.002 * size, "it hangs, and does not fall to pieces"
    run_operator("bake", target="NEW")
    for frame, places in zip((1, 10, _LAST), played, strict=True):
        plants.show(frame)
        assert corners(skin) == pytest.approx(places, abs=1e-5), "the bake is what was played"
    run_operator("clear_bake")
    run_operator("remove_dynamics")
    select(obj)
    bpy.ops.object.mode_set(mode="OBJECT")
    scene.frame_set(1)
    mine = ("plant_dynamics", ".select", "bones.active", "_bone")
    assert [d for d in differences(before, everything()) if not any(word in d[0] for word in mine)] == []
    assert corners(skin) == pytest.approx(drawn, abs=1e-6)


def test_a_saplings_branches_are_of_level_one(fresh):
    obj, _ = foreign_rigs.sapling()
    levels = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.rigging.bone_selection").branch_levels
    expected = {bone.name: int(not bone.name.startswith("bone000")) for bone in obj.data.bones}
    assert levels(obj.data.bones) == expected


def test_the_ends_of_an_imported_skeleton_are_carried(fresh, run_operator):
    obj, _ = foreign_rigs.imported()
    bpy.context.view_layer.update()
    run_operator("make_dynamic")
    module = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.rigging.warnings")
    (warning,) = module.rig_warnings(obj)
    assert warning.fix.kind == "SHORT"
    assert sorted(warning.fix.bones) == ["Ear_L_end", "Ear_R_end", "Tail_05_end"]
    run_operator("play")
    assert np.isfinite(plants.played(obj, range(1, 10))).all()


def upright(count: int) -> bpy.types.Object:
    """Bones as Blender adds and extrudes them: 1 m each, upright, with the envelopes of new bones."""
    bpy.ops.object.armature_add()
    obj = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    for _ in range(count - 1):
        bpy.ops.armature.extrude()
        last = obj.data.edit_bones[-1]
        last.tail = last.head + type(last.head)((0.0, 0.0, 1.0))
        bpy.ops.armature.select_all(action="DESELECT")
        last.select_tail = True
        obj.data.edit_bones.active = last
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [round(bone.length, 5) for bone in obj.data.bones] == [1.0] * count
    assert {round(bone.head_radius, 5) for bone in obj.data.bones} <= {0.1, 0.05}
    return obj


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_bones_as_blender_adds_them_move_well_at_once(run_operator, count, scale):
    """Pushed aside quickly by a fifth of its height, the tip lags and swings, and does not fall."""
    obj = upright(count)
    height = count * scale
    obj.scale = (scale, scale, scale)
    bpy.context.scene.frame_end = 72
    pushed = 1 + round(8.0 * np.sqrt(height))  # a third of a second for a plant of 1 m, as free fall goes
    plants.key_location(obj, {1: (0.0, 0.0, 0.0), pushed: (0.2 * height, 0.0, 0.0)})
    bpy.context.scene.frame_set(1)
    run_operator("make_dynamic")
    run_operator("play")
    tips = []
    for frame in range(1, 73):
        plants.show(frame)
        place = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation
        tips.append(plants.tip(obj, obj.data.bones[-1].name) - np.array(place))
    lag = np.array(tips)[:, 0] / height
    assert 0.03 < np.abs(lag).max() < 0.5
    assert np.array(tips)[:, 2].min() > 0.8 * height
    assert (np.diff(np.sign(lag[pushed:])) != 0).any(), "it swings over"


def test_a_level_chain_of_new_bones_sags_as_a_plant_does(run_operator):
    obj = upright(4)
    obj.rotation_euler = (0.0, np.pi / 2.0, 0.0)
    bpy.context.view_layer.update()
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    assert -0.25 * 4.0 < plants.tip(obj, obj.data.bones[-1].name)[2] < -0.08 * 4.0


def test_radii_that_were_drawn_or_chosen_are_left_alone(run_operator):
    drawn = plants.chain(3)
    run_operator("make_dynamic")
    assert drawn.plant_dynamics.radius_source == "ENVELOPE"
    chosen = upright(2)
    chosen.plant_dynamics.radius_source = "ENVELOPE"
    run_operator("make_dynamic")
    assert chosen.plant_dynamics.radius_source == "ENVELOPE"
    own = upright(2)
    own.data.bones[0].plant_dynamics.radius_base = 0.3
    run_operator("make_dynamic")
    assert own.plant_dynamics.radius_source == "ENVELOPE"


def test_bendy_bones_curve_with_the_motion(run_operator):
    """Their ends are where the simulation puts the bones; the segments between go smoothly through them."""
    obj = plants.chain(4)
    plain = [plants.tip(obj, bone.name) for bone in obj.data.bones]
    for bone in obj.data.bones:
        bone.bbone_segments = 8
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bone = evaluated.pose.bones["Bone.1"]
    middle = (bone.matrix @ bone.bbone_segment_matrix(4)).translation
    straight = 0.5 * (np.array(bone.head) + np.array(bone.tail))
    assert np.linalg.norm(np.array(middle) - straight) > 1e-5, "the bone is curved"
    assert plants.tip(obj, "Bone.3")[2] < plain[3][2] - 1e-3
    run_operator("bake")
    run_operator("clear_bake")
    assert [bone.bbone_segments for bone in obj.data.bones] == [8] * 4


def test_constraints_act_on_top_of_the_motion(run_operator):
    """IK holds the chain's end at its target while the simulation goes on below; without it the chain hangs."""
    obj = plants.chain(6)
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (0.5, 0.0, 0.1)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    hung = plants.tip(obj, "Bone.5")
    channels = np.array([bone.rotation_quaternion for bone in obj.pose.bones])
    ik = obj.pose.bones["Bone.5"].constraints.new("IK")
    ik.target, ik.iterations = target, 500
    plants.show(1)
    assert plants.tip(obj, "Bone.5") == pytest.approx(np.array(target.location), abs=1e-3)
    assert np.array([bone.rotation_quaternion for bone in obj.pose.bones]) == pytest.approx(channels)
    obj.pose.bones["Bone.5"].constraints.remove(ik)
    plants.show(1)
    assert plants.tip(obj, "Bone.5") == pytest.approx(hung, abs=1e-6)


def test_a_parent_that_is_moved_by_a_constraint_carries_as_a_keyed_one(run_operator):
    """A rig's spine looks at a control; the tail on it swings as if the spine itself had the keys."""
    control = bpy.data.objects.new("Control", None)
    bpy.context.scene.collection.objects.link(control)
    plants.key_location(control, {1: (1.0, 0.0, 0.0), 8: (1.0, 0.3, 0.7), 16: (1.0, -0.2, -0.2)})
    rigs = [plants.chain(6, name=name) for name in ("Constrained", "Keyed")]
    for obj in rigs:
        for name in ("Bone.0", "Bone.1"):
            obj.data.bones[name].plant_dynamics.use_physics = False
        bpy.context.view_layer.objects.active = obj
        run_operator("make_dynamic")
    look = rigs[0].pose.bones["Bone.1"].constraints.new("DAMPED_TRACK")
    look.target, look.track_axis = control, "TRACK_Y"
    for frame in range(1, _LAST + 1):
        plants.show(frame)
        posed = rigs[0].evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["Bone.1"]
        local = rigs[0].convert_space(pose_bone=posed, matrix=posed.matrix, from_space="POSE", to_space="LOCAL")
        rigs[1].pose.bones["Bone.1"].rotation_quaternion = local.to_quaternion()
        rigs[1].pose.bones["Bone.1"].keyframe_insert("rotation_quaternion", frame=frame)
    run_operator("play")
    tips = []
    for frame in range(1, _LAST + 1):
        plants.show(frame)
        tips.append([plants.tip(obj, "Bone.5") for obj in rigs])
    tips = np.array(tips)
    assert tips[:, 0] == pytest.approx(tips[:, 1], abs=1e-4)
    assert np.ptp(tips[:, 0], axis=0).max() > 0.1


def test_what_is_to_be_known_of_bones_is_cheap_to_draw(fresh):
    """The panel asks at every redraw."""
    obj = plants.chain(1500, length=0.01)
    rig_warnings = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.rigging.warnings").rig_warnings
    times = []
    for _ in range(5):
        begun = perf_counter()
        assert rig_warnings(obj) == []
        times.append(perf_counter() - begun)
    assert min(times) < 0.005
