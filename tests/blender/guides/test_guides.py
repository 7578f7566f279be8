# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that are held: at objects, on curves, in planes, and by other bones."""

import importlib
import math

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout


@pytest.fixture
def go_live(run_operator):
    def play(obj):
        bpy.context.view_layer.objects.active = obj
        run_operator("play")

    return play


def test_a_bone_is_held_where_its_nail_is_and_goes_along_with_it(soft, run_operator, go_live):
    run_operator("add_hold")
    nail = bpy.context.object
    assert nail.type == "EMPTY"
    nail.location = Vector((0.4, 0.0, 0.1))
    plants.key_location(nail, {1: (0.4, 0.0, 0.1), 12: (0.3, 0.2, 0.2)})
    go_live(soft)
    for frame in (1, 6, 12):
        plants.show(frame)
        assert np.abs(plants.tip(soft, "Bone.5") - np.array(nail.matrix_world.translation)).max() < 1e-5


@pytest.mark.parametrize("kind", ["hold", "plane", "wire"])
def test_what_holds_is_put_where_the_bone_is_seen(soft, run_operator, go_live, kind):
    run_operator(f"add_{kind}")
    assert np.allclose(soft.plant_dynamics.loads[0].target.location, (0.6, 0.0, 0.0), atol=1e-6)
    bpy.data.objects.remove(soft.plant_dynamics.loads[0].target)
    soft.plant_dynamics.loads.remove(0)
    go_live(soft)
    plants.show(4)
    hangs = plants.tip(soft, "Bone.5")
    run_operator(f"add_{kind}")
    assert np.allclose(soft.plant_dynamics.loads[0].target.location, hangs, atol=1e-5)


def test_a_garland_settles_between_its_nails(soft, run_operator, go_live):
    run_operator("add_hold")
    bpy.context.object.location = (0.4, 0.0, 0.0)
    go_live(soft)
    plants.show(1)
    first = plants.matrices(soft)
    middle = plants.tip(soft, "Bone.2")
    assert middle[2] < -0.15
    plants.show(12)
    assert np.abs(plants.matrices(soft) - first).max() < 1e-4


def test_a_bone_slides_on_the_selected_curve(soft, run_operator, go_live):
    wire = plants.straight_lines("Wire", [(0.2, 0.0, 0.2), (0.6, 0.0, -0.2)])
    wire.location = (0.0, 0.1, 0.0)
    wire.select_set(True)
    soft.data.bones.active = soft.data.bones["Bone.5"]
    run_operator("add_wire")
    load = soft.plant_dynamics.loads[0]
    assert load.target == wire
    go_live(soft)
    for frame in (1, 8):
        plants.show(frame)
        x, y, z = plants.tip(soft, "Bone.5")
        assert abs(y - 0.1) < 1e-5
        assert abs((x - 0.4) + z) < 1e-5


def test_with_a_curve_that_was_there_one_stays_in_pose_mode(soft, run_operator):
    run_operator("add_wire")
    wire = soft.plant_dynamics.loads[0].target
    assert bpy.context.object == wire  # which is new, to be shaped
    soft.select_set(True)
    bpy.context.view_layer.objects.active = soft
    bpy.ops.object.mode_set(mode="POSE")
    soft.data.bones.active = soft.data.bones["Bone.3"]
    run_operator("add_wire")
    assert [load.target == wire for load in soft.plant_dynamics.loads] == [True, True]
    assert (bpy.context.object, soft.mode) == (soft, "POSE")


def test_keys_lead_a_bone_along_a_curve(soft, run_operator, go_live):
    run_operator("add_wire")
    load = soft.plant_dynamics.loads[0]
    load.target.location = (0.3, 0.0, 0.0)
    load.holds_parameter = True
    for frame, value in ((1, 0.0), (10, 1.0)):
        load.parameter = value
        load.keyframe_insert("parameter", frame=frame)
    go_live(soft)
    plants.show(1)
    begin = plants.tip(soft, "Bone.5")
    plants.show(10)
    end = plants.tip(soft, "Bone.5")
    assert np.allclose(end - begin, (0.3, 0.0, 0.0), atol=1e-5)


def test_a_bone_stays_in_the_plane_of_an_object(soft, run_operator, go_live):
    run_operator("add_plane")
    pane = bpy.context.object
    pane.matrix_world = Matrix.Translation((0.0, 0.0, -0.1)) @ Matrix.Rotation(0.3, 4, "Y")
    go_live(soft)
    normal = np.array(pane.matrix_world.to_3x3().col[2])
    for frame in (1, 8):
        plants.show(frame)
        assert abs((plants.tip(soft, "Bone.5") - (0.0, 0.0, -0.1)) @ normal) < 1e-5


def test_a_chain_is_closed_to_a_ring_by_its_ends(fresh, run_operator, go_live):
    ring = plants.chain(8)
    bpy.ops.object.mode_set(mode="EDIT")
    places = [Vector((0.1 * math.cos(k * math.tau / 8), 0.1 * math.sin(k * math.tau / 8), 0.0)) for k in range(9)]
    for k in range(8):
        bone = ring.data.edit_bones[f"Bone.{k}"]
        bone.head, bone.tail = places[k], places[k + 1]
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    ring.data.bones.active = ring.data.bones["Bone.7"]
    run_operator("add_tie")
    load = ring.plant_dynamics.loads[0]
    assert (load.bone, load.other_bone, load.other_along) == ("Bone.7", "Bone.0", 0.0)


def test_faces_whose_corners_lie_in_no_plane_are_held_on_as_they_are_drawn(soft, run_operator, go_live):
    data = bpy.data.meshes.new("Bent")
    data.from_pydata([(0.3, -0.3, -0.2), (0.8, -0.3, 0.05), (0.8, 0.3, -0.2), (0.3, 0.3, 0.05)], [], [(0, 1, 2, 3)])
    bent = bpy.data.objects.new("Bent", data)
    bpy.context.scene.collection.objects.link(bent)
    bent.select_set(True)
    soft.data.bones.active = soft.data.bones["Bone.5"]
    run_operator("add_surface")
    go_live(soft)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for frame in (1, 8, 20):
        plants.show(frame)
        tip = plants.tip(soft, "Bone.5")
        triangulated = BVHTree.FromObject(bent, depsgraph)
        assert triangulated.find_nearest(tip)[3] < 1e-5


def test_bones_of_two_branches_are_tied(fresh, run_operator, go_live):
    obj = plants.chain(3)
    bpy.ops.object.mode_set(mode="EDIT")
    bones, below = obj.data.edit_bones, None
    for i in range(3):
        bone = bones.new(f"Other.{i}")
        bone.head, bone.tail = (i * 0.1, 0.1, 0.0), ((i + 1) * 0.1, 0.1 - 0.02 * i, 0.0)
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent, bone.use_connect = below, below is not None
        below = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    obj.plant_dynamics.stiffness_factor = 1e-2
    obj.data.bones.active = obj.data.bones["Bone.2"]
    run_operator("add_tie")
    load = obj.plant_dynamics.loads[0]
    assert (load.bone, load.other_bone) == ("Bone.2", "Other.2")
    go_live(obj)
    for frame in (1, 8):
        plants.show(frame)
        assert np.abs(plants.tip(obj, "Bone.2") - plants.tip(obj, "Other.2")).max() < 1e-5


def test_a_bake_is_what_was_shown_and_scrubbing_shows_it_again(soft, run_operator, go_live):
    run_operator("add_hold")
    nail = bpy.context.object
    plants.key_location(nail, {1: (0.5, 0.0, 0.0), 10: (0.4, 0.2, 0.1)})
    bpy.context.scene.frame_end = 10
    go_live(soft)
    shown = plants.played(soft, range(1, 11))
    plants.show(3)
    assert np.abs(plants.matrices(soft) - shown[2]).max() == 0.0
    bpy.context.view_layer.objects.active = soft
    run_operator("bake")
    assert np.abs(plants.played(soft, range(1, 11)) - shown).max() < 1e-5


def test_without_influence_nothing_is_held(soft, run_operator, go_live):
    run_operator("add_hold")
    load = soft.plant_dynamics.loads[0]
    load.target.location = (0.3, 0.0, 0.3)
    load.influence = 0.0
    go_live(soft)
    plants.show(1)
    assert plants.tip(soft, "Bone.5")[2] < -0.3


def told_below_play(fixes, plant):
    layout = Layout()
    fixes.draw_trouble(bpy.context, layout, plant)
    return layout.texts


def test_two_of_one_kind_on_one_bone_have_names_of_their_own(soft, run_operator):
    for _ in range(3):
        run_operator("add_hold")
        bpy.context.view_layer.objects.active = soft
    assert [load.bone for load in soft.plant_dynamics.loads] == ["Bone.5"] * 3
    assert [load.name for load in soft.plant_dynamics.loads] == ["Bone.5 Hold", "Bone.5 Hold.001", "Bone.5 Hold.002"]


def test_a_curve_without_points_holds_nothing_and_is_told_of(soft, fresh, run_operator, go_live):
    fixes = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.fixes")
    live = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.live.live")
    run_operator("add_wire")
    wire = soft.plant_dynamics.loads[0].target
    go_live(soft)
    assert not told_below_play(fixes, soft)
    wire.data.splines.clear()
    for frame in (2, 24):
        plants.show(frame)
    assert live.problem_of(soft) == ""
    assert plants.tip(soft, "Bone.5")[2] < -0.05
    told = [("Bone.5", wire.name, "The curve has no length: nothing holds the bone")]
    assert fixes.idle_guides(bpy.context, soft) == told
    assert "Bone.5: The curve has no length: nothing holds the bone" in " ".join(told_below_play(fixes, soft))


def test_an_object_that_is_deleted_lets_the_bone_go(soft, fresh, run_operator, go_live):
    fixes = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.fixes")
    run_operator("add_hold")
    nail = bpy.context.object
    nail.location = (0.4, 0.0, 0.2)
    go_live(soft)
    plants.show(1)
    bpy.data.objects.remove(nail)
    plants.show(1)
    plants.show(12)
    assert soft.plant_dynamics.loads[0].target is None
    assert plants.tip(soft, "Bone.5")[2] < 0.0
    assert "choose one in Loads, or remove the guide" in " ".join(told_below_play(fixes, soft))


def _hill(size: float) -> bpy.types.Object:
    """A sheet that bulges, with 128 triangles, shaded smooth."""
    data = bpy.data.meshes.new("Hill")
    n = 9
    x, y = np.meshgrid(*[np.linspace(-1.0, 1.0, n)] * 2, indexing="ij")
    places = np.stack([size * x, size * y, size * 0.4 * np.cos(1.5 * x) * np.cos(y)], axis=-1).reshape(-1, 3)
    first = [i * n + j for i in range(n - 1) for j in range(n - 1)]
    faces = [(k, k + n, k + n + 1, k + 1) for k in first]
    data.from_pydata(places.tolist(), [], faces)
    data.polygons.foreach_set("use_smooth", [True] * len(faces))
    hill = bpy.data.objects.new("Hill", data)
    bpy.context.scene.collection.objects.link(hill)
    return hill


def _height_over(hill: bpy.types.Object, point: np.ndarray) -> float:
    """m, over the flat faces."""
    evaluated = hill.evaluated_get(bpy.context.evaluated_depsgraph_get())
    place = hill.matrix_world.inverted() @ Vector(point)
    found, at, normal, _ = evaluated.closest_point_on_mesh(place)
    assert found
    return float((place - at) @ normal)


def test_a_bone_slides_on_the_surface_of_the_selected_mesh(soft, run_operator, go_live):
    hill = _hill(0.3)
    hill.location = (0.4, 0.0, -0.2)
    hill.rotation_euler = (0.0, 0.3, 0.2)
    hill.select_set(True)
    soft.data.bones.active = soft.data.bones["Bone.5"]
    run_operator("add_surface")
    load = soft.plant_dynamics.loads[0]
    assert (load.kind, load.target) == ("SURFACE", hill)
    go_live(soft)
    for frame in (1, 12, 24):
        plants.show(frame)
        assert abs(_height_over(hill, plants.tip(soft, "Bone.5"))) < 3e-3
    plants.show(30)
    rest = plants.matrices(soft)
    plants.show(31)
    assert np.abs(plants.matrices(soft) - rest).max() < 1e-4


def test_a_surface_that_bends_and_moves_takes_the_bone_along(soft, run_operator, go_live):
    run_operator("add_surface")
    sheet = soft.plant_dynamics.loads[0].target
    assert len(sheet.data.polygons) == 1
    plants.key_location(sheet, {1: tuple(sheet.location), 12: (0.4, 0.1, 0.1)})
    bpy.context.scene.frame_end = 12
    go_live(soft)
    shown = plants.played(soft, range(1, 13))
    for frame in (1, 6, 12):
        plants.show(frame)
        assert plants.tip(soft, "Bone.5")[2] == pytest.approx(sheet.matrix_world.translation.z, abs=1e-5)
    bpy.context.view_layer.objects.active = soft
    run_operator("bake")
    assert np.abs(plants.played(soft, range(1, 13)) - shown).max() < 1e-5


def test_a_flat_shaded_box_holds_on_its_faces(soft, run_operator, go_live):
    data = bpy.data.meshes.new("Box")
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    data.from_pydata(corners, [], faces)
    box = bpy.data.objects.new("Box", data)
    bpy.context.scene.collection.objects.link(box)
    box.scale, box.location = (0.4, 0.4, -0.4), (0.5, 0.0, -0.15)
    box.select_set(True)
    soft.data.bones.active = soft.data.bones["Bone.5"]
    run_operator("add_surface")
    go_live(soft)
    for frame in (1, 8, 20):
        plants.show(frame)
        own = np.abs((plants.tip(soft, "Bone.5") - box.location) / np.abs(box.scale))
        assert own.max() == pytest.approx(0.5, abs=1e-4)


def test_a_surface_without_faces_holds_nothing_and_is_told_of(soft, fresh, run_operator, go_live):
    fixes = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.panels.fixes")
    live = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.live.live")
    run_operator("add_surface")
    sheet = soft.plant_dynamics.loads[0].target
    go_live(soft)
    sheet.data.clear_geometry()
    for frame in (2, 24):
        plants.show(frame)
    assert live.problem_of(soft) == ""
    assert plants.tip(soft, "Bone.5")[2] < -0.05
    told = [("Bone.5", sheet.name, "The object has no faces with an area: nothing holds the bone")]
    assert fixes.idle_guides(bpy.context, soft) == told


def test_a_plants_own_skin_does_not_hold_it(soft, run_operator):
    run_operator("add_surface")
    sheet = soft.plant_dynamics.loads[0].target
    sheet.modifiers.new("Skin", "ARMATURE").object = soft
    bpy.context.view_layer.objects.active = soft
    with pytest.raises(RuntimeError, match="of the plant itself"):
        bpy.ops.plant_dynamics.play()


@pytest.mark.parametrize("kind", ["hold", "wire", "plane", "surface"])
def test_what_is_disabled_in_viewports_holds_nothing_and_is_told_of(kind, soft, fresh, run_operator, go_live):
    kinds = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.surroundings.loads.kinds")
    run_operator(f"add_{kind}")
    load = soft.plant_dynamics.loads[0]
    load.target.location = (0.4, 0.0, 0.0)
    target = load.target
    target.hide_viewport = True
    go_live(soft)
    plants.show(1)
    assert plants.tip(soft, "Bone.5")[2] < -0.3
    why = kinds.LOADS[load.kind].why_idle(load, soft.plant_dynamics, bpy.context.scene)
    assert why == "The object is disabled in viewports, so that it is nowhere"
    target.hide_viewport = False
    assert kinds.LOADS[load.kind].why_idle(load, soft.plant_dynamics, bpy.context.scene) == ""


@pytest.mark.parametrize("kind", ["HOOK", "SHRINKWRAP"])
def test_what_bends_after_the_plant_does_not_hold_it(kind, soft, run_operator):
    run_operator("add_surface")
    sheet = soft.plant_dynamics.loads[0].target
    skin = _hill(0.2)
    skin.parent = soft
    modifier = sheet.modifiers.new("Led", kind)
    if kind == "HOOK":
        modifier.object = soft
    else:
        modifier.target = skin
    bpy.context.view_layer.objects.active = soft
    with pytest.raises(RuntimeError, match="bends with the plant itself"):
        bpy.ops.plant_dynamics.play()


@pytest.mark.parametrize("stiffness", [1.0, 0.01])
def test_a_loop_that_no_wind_leaves_at_rest_begins_closed(fresh, run_operator, select_only, stiffness):
    """It sways from where it hangs in still air."""
    obj = plants.chain(12)
    run_operator("make_dynamic")
    obj.plant_dynamics.stiffness_factor = stiffness
    bpy.ops.object.mode_set(mode="POSE")
    obj.data.bones.active = obj.data.bones["Bone.11"]
    plants.select(obj, "Bone.3", "Bone.11")
    run_operator("add_tie")
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("preset_apply", kind="wind", preset="Breeze")
    bpy.context.scene.frame_end = 30
    run_operator("bake")
    for frame in range(1, 31):
        plants.show(frame)
        assert np.abs(plants.tip(obj, "Bone.11") - plants.tip(obj, "Bone.3")).max() < 1e-5
