# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare: each plant of the row moves as the plant itself would with that value, and the user's scene stays."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.comparisons import LAST, compare_now, compared, module, rotation_keys, same_keys


def snapshot():
    """Everything readable of the user's scene and of what is in the file."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    kinds = [p.identifier for p in bpy.data.bl_rna.properties if p.type == "COLLECTION"]
    return {
        "data": {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds},
        "scene": (scene.name, scene.frame_current, scene.frame_subframe, scene.frame_start, scene.frame_end),
        "objects": sorted(one.name for one in scene.objects),
        "selected": sorted(one.name for one in bpy.context.selected_objects),
        "active": layer.objects.active.name,
        "mode": bpy.context.mode,
        "wind": [(p.identifier, str(getattr(scene.plant_dynamics.wind, p.identifier)))
                 for p in scene.plant_dynamics.wind.bl_rna.properties if p.type in {"FLOAT", "INT", "ENUM", "BOOLEAN"}],
        "places": {one.name: np.array(one.matrix_world).tobytes() for one in scene.objects},
        "curves": {(one.name, *key): keys.tobytes() for one in bpy.data.actions
                   for key, keys in plants.curves(one).items()},
    }  # fmt: skip


def read(text, unit="MPa", units=None, present=100.0):
    found = module("comparison.values").read_values(text, unit, units or {"GPa": 1000.0}, present)
    return [value.number for value in found]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("50, 100", [50, 100]),
        ("0.5x, 1x,2 ×", [50, 100, 200]),
        ("0.2 GPa, 30MPa", [200, 30]),
        ("1/4", [0.25]),
        ("100:400:4", [100, 200, 300, 400]),
        ("0.5x:2x:4", [50, 100, 150, 200]),
        ("1:2 GPa:2", [1000, 2000]),
        ("-1e-3", [-0.001]),
    ],
)
def test_values_are_read(addon, text, numbers):
    assert read(text) == pytest.approx(numbers)


def test_values_are_written_with_their_unit(addon):
    found = module("comparison.values").read_values("0.2 GPa, 0.5x", "MPa", {"GPa": 1000.0}, 100.0)
    assert [value.text for value in found] == ["200 MPa", "50 MPa"]


@pytest.mark.parametrize(
    "text", ["", "many", "5 apples", "1/0", "1:2", "1:2:99", "1:2:x", "1,,2", "inf", "1e308 GPa", ",".join("1" * 25)]
)
def test_bad_values_are_refused(addon, text):
    with pytest.raises(module("errors").PlantError):
        read(text)


def test_the_plants_move_as_the_plant_with_that_value_does(pulled, run_operator):
    comparison = compared(pulled, "YOUNG", "0.25x, 1x, 600 MPa")
    assert [place.text for place in comparison.places] == ["75 MPa", "300 MPa", "600 MPa"]
    keys = [rotation_keys(place.variant.obj) for place in comparison.places]
    for young, baked in zip((75.0, 300.0, 600.0), keys, strict=True):
        pulled.plant_dynamics.young_modulus = young
        run_operator("bake")
        assert same_keys(rotation_keys(pulled), baked), young
        run_operator("clear_bake")
    assert not same_keys(keys[0], keys[1])


@pytest.mark.parametrize("quantity", ["YOUNG", "WIND", "LENGTH", "GRAVITY"])
def test_the_users_scene_stays(pulled, run_operator, quantity):
    """What is new lies in the new scene, and is all there is beside what was before."""
    scene = bpy.context.scene
    scene.plant_dynamics.wind.source = "GUSTS"
    plants.show(3)
    before = snapshot()
    comparison = compared(pulled, quantity, "1x, 2x")
    after = snapshot()
    for key in ("scene", "objects", "selected", "active", "mode", "wind", "places"):
        assert after[key] == before[key], key
    for kind, names in before["data"].items():
        assert set(names) <= set(after["data"][kind]), kind
    assert {key: after["curves"][key] for key in before["curves"]} == before["curves"]
    assert len(comparison.scene.objects) == len(after["data"]["objects"]) - len(before["data"]["objects"])
    assert not set(comparison.scene.objects) & set(scene.objects)


def test_undo_takes_all_of_it_away(pulled, run_operator):
    bpy.ops.ed.undo_push(message="before")
    before = snapshot()
    bpy.context.scene.plant_dynamics_compare.values = "1x, 2x"
    run_operator("compare")
    assert bpy.context.scene.name == "Young's modulus of Chain"
    bpy.ops.ed.undo_push(message="compared")
    bpy.ops.ed.undo()
    assert snapshot() == before


@pytest.mark.parametrize("values", ["1x, 2x, 1e-9 MPa", "1x, 5 apples"])
def test_what_fails_leaves_nothing_behind(pulled, values):
    pulled.plant_dynamics.start = "keep_shape"  # hardly any stiffness cannot hold the shape
    before = snapshot()
    with pytest.raises(module("errors").PlantError):
        compared(pulled, "YOUNG", values)
    assert snapshot() == before


@pytest.mark.parametrize("values", ["3, 20000", "3, 4, 9999999"])
def test_a_later_value_that_cannot_grow_leaves_nothing_behind(fresh, values):
    language = importlib.import_module("bl_ext.user_default.plant_dynamics.lsystem")
    bpy.context.scene.frame_end = 3
    obj = plants.grow("rose")
    before = snapshot()
    with pytest.raises((module("errors").PlantError, language.LSystemError)):
        compared(obj, "STEPS", values)
    assert snapshot() == before


@pytest.mark.parametrize(
    ("quantity", "values", "within"),
    [
        ("GRAVITY", "1x, 5000", "-981 m/s² to 981 m/s²"),
        ("MAX_STEP", "1/240, 1 s", "1e-05 s to 0.1 s"),
        ("SEGMENTS", "1, 200", "1 to 64"),
        ("DAMPING_RATIO", "5, 2000", "0 % to 1000 %"),
        ("DAMPING", "1, 1e6", "0 × to 1e\\+04 ×"),
        ("DAMPING_TIME", "1x, 1000", "to 100 s"),
        ("STEP_ERROR", "500", "to 100 %"),
        ("WIND", "2, 1e6", "0 m/s to 200 m/s"),
        ("YOUNG", "1x, 1e9", "0.0001 MPa to 1e\\+06 MPa"),
        ("DENSITY", "0.1", "1 kg/m³ to 2e\\+04 kg/m³"),
        ("RADIUS", "1, 1e30", "0.001 × to 1000 ×"),
    ],
)
def test_values_that_no_property_can_hold_are_refused(pulled, quantity, values, within):
    scene = bpy.context.scene
    scene.gravity = (0.0, 0.0, -9.81)
    scene.plant_dynamics.wind.source = "GUSTS"
    before = snapshot()
    with pytest.raises(module("errors").PlantError, match=f"out of range, which is .*{within}"):
        compared(pulled, quantity, values)
    assert snapshot() == before


def test_given_up_in_the_middle_it_leaves_nothing_behind(pulled):
    row, before = module("comparison.row"), snapshot()
    work = row.compare(bpy.context, pulled, row.CompareOptions("WIND", "1, 2, 3", 1, LAST))
    for _ in zip(range(20), work, strict=False):
        pass
    assert len(bpy.context.scene.objects) > len(before["objects"])  # it was in the middle
    work.close()
    assert snapshot() == before


def test_loads_are_repeated_with_the_plants(pulled):
    """Handles and their animation stand beside each plant, so that simulating it again there gives the same keys."""
    source, bake, expected = pulled.plant_dynamics.loads[0].target, module("baking.bake"), {}
    for frame in (1, 5, 10):
        plants.show(frame)
        expected[frame] = np.array(source.matrix_world.translation)
    comparison = compared(pulled, "DENSITY", "0.5x, 1x, 2x")
    bpy.context.window.scene = comparison.scene
    for place in comparison.places:
        top = place.variant.obj
        handle = top.plant_dynamics.loads[0].target
        assert handle != source
        for frame, at in expected.items():
            plants.show(frame)
            assert np.allclose(handle.matrix_world.translation - place.carrier.matrix_world.translation, at, atol=1e-6)
        before = rotation_keys(top)
        bake.clear_bake(top)
        bake.bake_now(bpy.context, top, bake.BakeOptions(1, LAST))
        again = rotation_keys(top)
        worst = max(np.abs(again[key] - before[key]).max() for key in before)
        assert worst < 2e-5  # moved by the offset, the last digits of places differ


def test_wind_acts_on_all_as_at_the_plants_place(pulled, run_operator):
    wind = bpy.context.scene.plant_dynamics.wind
    wind.source, wind.speed = "GUSTS", 3.0
    comparison = compared(pulled, "WIND", "2, 6")
    assert wind.speed == 3.0
    for speed, place in zip((2.0, 6.0), comparison.places, strict=True):
        wind.speed = speed
        run_operator("bake")
        assert same_keys(rotation_keys(pulled), rotation_keys(place.variant.obj))
        run_operator("clear_bake")


def test_keyed_wind_and_gravity_are_scaled(pulled, run_operator):
    scene, settings = bpy.context.scene, pulled.plant_dynamics
    wind = scene.plant_dynamics.wind
    wind.source = "GUSTS"
    for frame, speed, gravity in ((1, 2.0, 1.0), (10, 4.0, 0.5)):
        wind.speed, settings.gravity_factor = speed, gravity
        scene.keyframe_insert("plant_dynamics.wind.speed", frame=frame)
        pulled.keyframe_insert("plant_dynamics.gravity_factor", frame=frame)
    plants.show(1)
    action = scene.animation_data.action
    # A speed is that of the largest key, whatever frame is shown.
    assert same_keys(*(rotation_keys(p.variant.obj) for p in compared(pulled, "WIND", "1x, 4 m/s").places))
    twice = [rotation_keys(p.variant.obj) for p in compared(pulled, "WIND", "1x, 2x").places]
    assert not same_keys(*twice)
    assert scene.animation_data.action == action
    place = compared(pulled, "GRAVITY", "2x").places[0]
    run_operator("bake")
    assert not same_keys(rotation_keys(pulled), rotation_keys(place.variant.obj))
    run_operator("clear_bake")
    for curve in module("comparison.animation").curves_of(pulled):
        if curve.data_path == "plant_dynamics.gravity_factor":
            for key in curve.keyframe_points:
                key.co.y *= 2
                key.handle_left.y *= 2
                key.handle_right.y *= 2
    run_operator("bake")
    assert same_keys(rotation_keys(pulled), rotation_keys(place.variant.obj))


def test_keyed_wind_is_compared_whatever_frame_is_shown(pulled):
    scene = bpy.context.scene
    wind = scene.plant_dynamics.wind
    wind.source = "GUSTS"
    for frame, speed in ((1, 0.0), (6, 5.0)):  # rises from a calm
        wind.speed = speed
        scene.keyframe_insert("plant_dynamics.wind.speed", frame=frame)
    rows = []
    for frame in (1, 6):
        plants.show(frame)
        rows.append([rotation_keys(p.variant.obj) for p in compared(pulled, "WIND", "0.5x, 5 m/s").places])
    assert all(same_keys(*pair) for pair in zip(*rows, strict=True))
    assert not same_keys(*rows[0])
    for curve in module("comparison.animation").curves_of(scene):
        for key in curve.keyframe_points:
            key.co.y = 0.0
    with pytest.raises(module("errors").PlantError, match="all keys of what is to be compared are 0"):
        compared(pulled, "WIND", "1, 2")


def effective(obj):
    """Rods of an armature object."""
    return module("dynamics.rig.armature_reader").read_armature(obj, obj.matrix_world).parts[0]


@pytest.mark.parametrize(
    ("quantity", "values", "column", "ratio"),
    [
        ("YOUNG", "1x, 2x", "young", 2.0),
        ("RADIUS", "1, 1.5", "radius_base", 1.5),
        ("LENGTH", "1, 0.5", "length", 0.5),
        ("DENSITY", "1x, 3x", "density", 3.0),
        ("DAMPING", "1, 4", "damping_time", 4.0),
        ("DAMPING_TIME", "1x, 4x", "damping_time", 4.0),
        ("AIR_FACTOR", "1, 3", "drag_across", 3.0),
        ("DRAG_ACROSS", "1x, 2x", "drag_across", 2.0),
        ("DRAG_ALONG", "1x, 2x", "drag_along", 2.0),
        ("BLADE_DRAG_NORMAL", "1x, 2x", "blade_drag_normal", 2.0),
        ("BLADE_DRAG_ALONG", "1x, 2x", "blade_drag_along", 2.0),
    ],
)
def test_every_bone_gets_its_share(fresh, quantity, values, column, ratio):
    bpy.context.scene.frame_end = 3
    obj = plants.grow("broad_leaf")
    row = module("comparison.row")
    comparison = compare_now(obj, row.CompareOptions(quantity, values, 1, 3))
    own, other = (effective(place.variant.obj) for place in comparison.places)
    assert np.allclose(getattr(other, column), ratio * np.asarray(getattr(own, column)), rtol=1e-5)
    untouched = {"young", "density", "radius_base", "length"} - {column}
    for name in untouched:
        assert np.allclose(getattr(other, name), getattr(own, name), rtol=1e-5), name
    assert np.allclose(getattr(effective(obj), column), getattr(own, column))


@pytest.mark.parametrize(
    ("quantity", "values", "column", "expected"),
    [
        ("POISSON", "0.2, 0.5x", "poisson", (0.2, 0.15)),
        ("HOLLOW", "0, 0.8", "hollow", (0.0, 0.8)),
        ("JOINT_DAMPING", "1e-6, 3e-6", "joint_damping", (1e-6, 3e-6)),
        ("BEND", "90, 20", "bend_limit", (np.pi / 2, np.pi / 9)),
        ("TWIST", "0.2 rad, 1x", "twist_limit", (0.2, np.pi / 6)),
    ],
)
def test_all_bones_get_the_same(fresh, run_operator, quantity, values, column, expected):
    """Those that have a value of their own, too."""
    bpy.context.scene.frame_end = 3
    obj = plants.chain()
    run_operator("make_dynamic")
    own = obj.data.bones[2].plant_dynamics
    own.poisson, own.hollow, own.bend_limit, own.twist_limit = 0.1, 0.3, 0.7, 0.6
    row = module("comparison.row")
    comparison = compare_now(obj, row.CompareOptions(quantity, values, 1, 3))
    for place, value in zip(comparison.places, expected, strict=True):
        assert np.allclose(getattr(effective(place.variant.obj), column), value, rtol=1e-5)
    assert own.hollow == pytest.approx(0.3)


def stem_radius(place):
    """How far vertices at the foot of the stem are from its axis, drawn."""
    obj, mesh = place.variant.obj, place.variant.meshes[0]
    bone = obj.data.bones[0]
    points = np.array([v.co for v in mesh.data.vertices if len(v.groups) == 1 and v.groups[0].group == 0])
    away = points - np.array(bone.head_local)
    axis = np.array(bone.vector.normalized())
    return np.median(np.linalg.norm(away - (away @ axis)[:, None] * axis, axis=1))


def test_thicker_and_longer_plants_look_so(fresh):
    bpy.context.scene.frame_end = 3
    obj = plants.grow("broad_leaf")
    row = module("comparison.row")
    thin, thick = compare_now(obj, row.CompareOptions("RADIUS", "1, 3", 1, 3)).places
    assert stem_radius(thick) == pytest.approx(3.0 * stem_radius(thin), rel=0.02)
    short, long = compare_now(obj, row.CompareOptions("LENGTH", "1, 2", 1, 3)).places
    assert stem_radius(long) == pytest.approx(stem_radius(short), rel=0.02)
    heights = [max(v.co.z for v in place.variant.meshes[0].data.vertices) for place in (short, long)]
    assert heights[1] == pytest.approx(2.0 * heights[0], rel=0.05)


@pytest.mark.parametrize(
    ("quantity", "values", "texts"),
    [
        ("LAYOUT", "gauss2, Mid Bone", ["Two per Bone", "Mid Bone"]),
        ("SCHEME", "", ["Second Order", "First Order"]),
        ("MAX_STEP", "1/240, 20 ms", ["0.004167 s", "0.02 s"]),
        ("STEP_ERROR", "0.003, 1", ["0.003 %", "1 %"]),
        ("SEGMENTS", "1, 3", ["1", "3"]),
        ("DAMPING_RATIO", "2, 20", ["2 %", "20 %"]),
        ("STIFFNESS", "1, 0.5", ["1 ×", "0.5 ×"]),
        ("BEND", "1, 20", ["1 °", "20 °"]),
        ("GRAVITY", "9.81, 1.62", ["9.81 m/s²", "1.62 m/s²"]),
        ("START", "settled, drawn", ["Settled", "As Drawn, Released"]),
        ("MATERIAL", "herbaceous_stem, oak_green", None),
    ],
)
def test_other_quantities(pulled, quantity, values, texts):
    comparison = compared(pulled, quantity, values)
    assert texts is None or [place.text for place in comparison.places] == texts
    one, other = (rotation_keys(place.variant.obj) for place in comparison.places)
    assert not same_keys(one, other)


def test_plants_that_a_parent_moves(pulled):
    """Base and handle that hang on other objects keep their motion beside the place where they had it."""
    bpy.ops.object.empty_add()
    cart = bpy.context.object
    plants.key_location(cart, {1: (0, 0, 0), 10: (0, 0.3, 0)})
    handle = pulled.plant_dynamics.loads[0].target
    pulled.parent = handle.parent = cart
    expected = {}
    for frame in (1, 6, 12):
        plants.show(frame)
        expected[frame] = plants.matrices(pulled)[:, :3, 3], np.array(handle.matrix_world.translation)
    bpy.context.view_layer.objects.active = pulled
    comparison = compared(pulled, "YOUNG", "1x")
    place = comparison.places[0]
    bpy.context.window.scene = comparison.scene
    own_handle = place.variant.obj.plant_dynamics.loads[0].target
    for frame, (heads, at) in expected.items():
        plants.show(frame)
        assert np.allclose(plants.matrices(place.variant.obj)[0, :3, 3], heads[0], atol=1e-5)
        assert np.allclose(own_handle.matrix_world.translation, at, atol=1e-5)


def test_a_baked_plant_is_compared_as_if_it_were_not(pulled, run_operator):
    run_operator("bake")
    own = rotation_keys(pulled)
    comparison = compared(pulled, "YOUNG", "1x, 2x")
    assert pulled.plant_dynamics.is_baked
    assert same_keys(rotation_keys(comparison.places[0].variant.obj), own)
    assert not same_keys(rotation_keys(comparison.places[1].variant.obj), own)
