# SPDX-License-Identifier: GPL-3.0-or-later
"""A skeleton becomes an armature with exact rest frames, a skinned mesh, materials and a pot."""

import dataclasses
import importlib
import time
from types import SimpleNamespace

import numpy as np
import pytest

from tests.blender.scenes.plants import grow_skeleton, mesh_of

EXTENSION = "bl_ext.user_default.plant_dynamics"
PLANT = """
steps: 4
let young = 2e8
material stem young=young poisson=0.25 density=900 damping=0.02
axiom: F(0.05, 0.004) A(0)
A(n) : n < 3 -> F(0.05, 0.003) [ &(60) ~Petiole(0.03, 0.001) &(20) ~Leaf(0.08, 0.04) ] /(137.5) A(n+1)
A(n) : n >= 3 -> ~Flower(0.01, 0.03)
"""


@pytest.fixture
def lsystem(fresh):
    return importlib.import_module(f"{EXTENSION}.lsystem")


@pytest.fixture
def grow_package(fresh):
    def load(name: str):
        return importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.{name}")

    return load


@pytest.fixture
def plant(lsystem, grow_package):

    skeleton = lsystem.grow(PLANT)
    return skeleton, grow_skeleton(skeleton, "Fern", location=(1.0, 2.0, 3.0))


def matrix(quaternion):
    from mathutils import Quaternion

    return np.array(Quaternion(quaternion).to_matrix())


def evaluated_vertices(mesh_object):
    import bpy

    bpy.context.view_layer.update()
    evaluated = mesh_object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([vertex.co for vertex in evaluated.to_mesh().vertices])


def test_bones_have_exactly_the_segments_frames(lsystem, plant):
    skeleton, armature = plant
    bones = armature.data.bones
    assert len(bones) == len(skeleton)
    assert [bone.name for bone in bones][:2] == ["Stem.001", "Stem.002"]
    assert {"Petiole.001", "Leaf.003", "Flower.001"} <= {bone.name for bone in bones}
    for index, bone in enumerate(bones):
        rest = np.array(bone.matrix_local)
        # Blender keeps head and tail in single precision, so a bone's direction is exact to 1e-7 m / its length.
        exact = 2e-7 * np.abs(skeleton.head).max() / skeleton.length[index] + 1e-6
        np.testing.assert_allclose(rest[:3, :3], matrix(skeleton.frame[index]), atol=exact)
        np.testing.assert_allclose(rest[:3, 3], skeleton.head[index], atol=1e-6)
        assert bone.length == pytest.approx(skeleton.length[index], abs=1e-6)
        parent = skeleton.parent[index]
        assert bone.parent == (bones[int(parent)] if parent >= 0 else None)
        assert bone.use_connect == (parent >= 0)
        assert armature.pose.bones[bone.name].rotation_mode == "QUATERNION"


def test_random_frames_keep_their_roll(grow_package):
    import bpy

    builder = grow_package("objects.armature")
    rng = np.random.default_rng(5)
    frame = rng.normal(size=(300, 4))
    frame /= np.linalg.norm(frame, axis=1, keepdims=True)
    names = [f"Bone.{k:03d}" for k in range(300)]
    length = rng.uniform(0.01, 0.3, 300)
    loose = SimpleNamespace(parent=np.full(300, -1), head=np.zeros((300, 3)), frame=frame, length=length)
    meanwhile = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.blender.meanwhile")
    bones = meanwhile.result_of(builder.armature_in_steps(bpy.context, "Loose", loose, names)).data.bones
    wanted = np.array([matrix(q) for q in frame])
    error = np.abs(np.array([bones[name].matrix_local.to_3x3() for name in names]) - wanted).max(axis=(1, 2))
    # Blender stores direction and roll, a pair that is ill-conditioned for bones along -Y.
    towards_minus_y = wanted[:, 1, 1] < -0.9
    assert error[~towards_minus_y].max() < 2e-6
    assert error[towards_minus_y].max() < 1e-4


def test_a_segment_after_a_gap_keeps_its_place(lsystem, grow_package):

    skeleton = lsystem.grow("steps: 1\naxiom: F(0.1, 0.004) f(0.05) F(0.1, 0.004)\n")
    armature = grow_skeleton(skeleton, "Gap")
    second = armature.data.bones["Stem.002"]
    assert second.parent is not None
    assert not second.use_connect
    assert second.head_local.z == pytest.approx(0.15, abs=1e-6)


def test_physical_data_are_on_the_bones(plant):
    skeleton, armature = plant
    stem, leaf = armature.data.bones["Stem.001"].plant_dynamics, armature.data.bones["Leaf.001"].plant_dynamics
    assert stem.organ == "stem"
    assert leaf.organ == "leaf"
    assert stem.radius_base == pytest.approx(skeleton.radius_base[0])
    assert stem.young_modulus == pytest.approx(200.0)  # MPa
    assert stem.poisson == pytest.approx(0.25)
    assert stem.damping_time == pytest.approx(0.02)


def test_object_mode_and_only_the_new_plant_selected(lsystem, grow_package):
    import bpy

    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    armature = grow_skeleton(lsystem.grow(PLANT), "Fern")
    assert bpy.context.mode == "OBJECT"
    assert bpy.context.view_layer.objects.active == armature
    assert bpy.context.selected_objects == [armature]
    assert cube.mode == "OBJECT"


def test_grows_where_the_active_collection_is_excluded(lsystem, grow_package):
    import bpy

    hidden = bpy.data.collections.new("Hidden")
    bpy.context.scene.collection.children.link(hidden)
    layer = bpy.context.view_layer.layer_collection.children["Hidden"]
    bpy.context.view_layer.active_layer_collection = layer
    layer.exclude = True
    armature = grow_skeleton(lsystem.grow(PLANT), "Fern")
    assert armature.visible_get()


def test_refuses_bones_that_blender_would_drop(lsystem, grow_package):
    import bpy

    errors = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.errors")
    skeleton = lsystem.grow("steps: 1\naxiom: F(0.1, 0.004) F(0.1, 0.004)\n")
    skeleton = dataclasses.replace(skeleton, length=np.array([0.1, 1e-9]))
    objects = len(bpy.data.objects)
    with pytest.raises(errors.PlantError, match=r"Stem\.002.*too short"):
        grow_skeleton(skeleton, "Short")
    assert len(bpy.data.objects) == objects


def test_at_rest_the_mesh_is_as_built_and_weights_sum_to_one(plant):
    _, armature = plant
    mesh_object = mesh_of(armature)
    mesh = mesh_object.data
    assert not mesh.validate(verbose=True)
    drawn = np.array([vertex.co for vertex in mesh.vertices])
    np.testing.assert_allclose(evaluated_vertices(mesh_object), drawn, atol=1e-6)
    sums = np.array([sum(group.weight for group in vertex.groups) for vertex in mesh.vertices])
    np.testing.assert_allclose(sums, 1.0, atol=1e-6)
    assert [group.name for group in mesh_object.vertex_groups] == [bone.name for bone in armature.data.bones]
    assert all(polygon.use_smooth for polygon in mesh.polygons)


def test_the_mesh_follows_a_bones_rotation(plant):
    from mathutils import Quaternion

    skeleton, armature = plant
    mesh_object = mesh_of(armature)
    before = evaluated_vertices(mesh_object)
    turn = Quaternion((1.0, 0.0, 0.0), 0.8)
    armature.pose.bones["Stem.002"].rotation_quaternion = turn
    after = evaluated_vertices(mesh_object)

    frame = matrix(skeleton.frame[1])
    rotation = frame @ np.array(turn.to_matrix()) @ frame.T
    expected = (before - skeleton.head[1]) @ rotation.T + skeleton.head[1]
    index = {group.name: group.index for group in mesh_object.vertex_groups}
    flower = [v.index for v in mesh_object.data.vertices if any(g.group == index["Flower.001"] for g in v.groups)]
    still = [v.index for v in mesh_object.data.vertices if [g.group for g in v.groups] == [index["Stem.001"]]]
    np.testing.assert_allclose(after[flower], expected[flower], atol=1e-5)
    assert still
    np.testing.assert_allclose(after[still], before[still], atol=1e-6)
    span = np.linalg.norm(after - skeleton.head[1], axis=1) - np.linalg.norm(before - skeleton.head[1], axis=1)
    assert np.abs(span).max() < 0.01, "vertices near the joint must not collapse"


def test_the_mesh_knows_organ_order_and_materials(lsystem, plant):
    _, armature = plant
    mesh = mesh_of(armature).data
    organs = np.empty(len(mesh.vertices), dtype=np.int32)
    mesh.attributes["plant_organ"].data.foreach_get("value", organs)
    assert set(organs) == {lsystem.ORGANS.index(name) for name in ("stem", "petiole", "leaf", "flower")}
    assert [material.name for material in mesh.materials] == [
        "Plant Stem", "Plant Leaf", "Plant Petal", "Plant Flower Centre", "Plant Sepal", "Plant Fruit",
        "Plant Bark",
    ]  # fmt: skip
    used = {mesh.materials[polygon.material_index].name for polygon in mesh.polygons}
    assert used == {"Plant Stem", "Plant Leaf", "Plant Petal", "Plant Flower Centre", "Plant Sepal"}


def test_joints_pins_and_new_organs_come_to_the_bones(lsystem, grow_package):

    skeleton = lsystem.grow(
        "axiom: F(0.1, 0.004) [ &(40) ~Petiole(0.03, 0.001) ~Leaf(0.09, 0.04, 0.0003, 3, 40) ] @pin(1) F(0.05, 0.004)\n"
        "    @pin(0) @joint(0.25) F(0.05, 0.004) [ &(50) {.f(0.03)+(90)f(0.03).} ] [ &(70) ~Petal(0.02, 0.01) ]\n"
    )
    armature = grow_skeleton(skeleton, "Fern", location=(0, 0, 0))
    data = [bone.plant_dynamics for bone in armature.data.bones]
    assert [one.pinned for one in data] == skeleton.pinned.tolist()
    np.testing.assert_allclose([one.stiffness_factor for one in data], skeleton.joint, rtol=1e-6)
    assert sorted(set(np.round(skeleton.joint, 3))) == [0.25, 0.5, 1.0]
    assert [one.organ for one in data] == [lsystem.ORGANS[organ] for organ in skeleton.organ]
    assert sum(one.blade_area > 0 for one in data) == 5
    # what the text does not say of its stems is the panel's, all else is typical of the organ
    assert [one.young_modulus > 0 for one in data] == [one.organ != "stem" for one in data]


def test_a_plant_of_any_age_with_other_constants(lsystem, grow_package):
    import bpy

    text = "steps: 4\nlet l = 0.1\naxiom: A\nA -> F(l, 0.003) [ &(50) ~Leaf(0.05, 0.03) ] /(137.5) A\n"
    grow, recipe = grow_package("from_text").grow_from_text, grow_package("recipe").Recipe(text, "Fern", leaf_bones=1)
    armature = grow(bpy.context, dataclasses.replace(recipe, steps=2.5, constants={"l": 0.2}), (0, 0, 0))
    lengths = [bone.length for bone in armature.data.bones]
    np.testing.assert_allclose(sorted(lengths), sorted([0.2, 0.2, 0.1, 0.05, 0.05, 0.025]), rtol=1e-5)
    assert len(grow(bpy.context, recipe, (0, 0, 0)).data.bones) == 8


def test_a_second_plant_shares_the_materials(lsystem, grow_package, plant):
    import bpy

    _, armature = plant
    count = len(bpy.data.materials)
    second = grow_skeleton(lsystem.grow(PLANT), "Fern")
    assert len(bpy.data.materials) == count
    assert second.name != armature.name
    assert mesh_of(second).modifiers[0].object == second


def test_pot_and_soil_move_with_the_armature_object(lsystem, grow_package):
    import bpy

    armature = grow_skeleton(lsystem.grow(PLANT), "Fern", pot=True, location=(0, 0, 0))
    bpy.context.view_layer.update()
    pot = next(child for child in armature.children if child.name.endswith("Pot"))
    soil = next(child for child in armature.children if child.name.endswith("Soil"))
    bottom = min((pot.matrix_world @ vertex.co).z for vertex in pot.data.vertices)
    assert bottom == pytest.approx(0.0, abs=1e-6)
    volume = sum(polygon.center.dot(polygon.normal) * polygon.area for polygon in pot.data.polygons)
    assert volume > 0, "the pot's faces point outwards"
    place = soil.matrix_world.translation.copy()
    armature.location.x += 0.5
    bpy.context.view_layer.update()
    assert (soil.matrix_world.translation - place).x == pytest.approx(0.5)


WIDE = "axiom: [ &(90) f(%g) ^(90) F(0.3, 0.004) ] [ ^(90) f(%g) &(90) F(0.3, 0.004) ]\n"


@pytest.mark.parametrize("reach", [0.001, 0.05, 0.4, 1.5])
def test_all_roots_stand_in_the_pot(lsystem, grow_package, reach):

    skeleton = lsystem.grow(WIDE % (reach, reach))
    armature = grow_skeleton(skeleton, "Bed", pot=True, location=(0, 0, 0))
    _roots_are_in_the_pot(armature, reach)


def test_reeds_stand_in_the_pot(lsystem, grow_package):

    (text,) = (preset.text for preset in lsystem.presets() if preset.name == "reed_bed")
    for constants in (None, {"culms": 30, "apart": 0.25}):
        skeleton = lsystem.grow(text, constants=constants)
        reach = float(np.linalg.norm(skeleton.head[skeleton.parent < 0, :2], axis=1).max())
        armature = grow_skeleton(skeleton, "Reed bed", pot=True, detail="LOW")
        _roots_are_in_the_pot(armature, reach)


def _roots_are_in_the_pot(armature, reach):
    pot, soil = (next(one for one in armature.children if one.name.endswith(name)) for name in ("Pot", "Soil"))
    points = np.array([vertex.co for vertex in soil.data.vertices])
    across, rim = np.hypot(points[:, 0], points[:, 1]), pot.dimensions.x / 2
    assert rim >= reach / 0.8
    surface = points[(points[:, 2] > -0.1 * rim) & (np.abs(across - reach) < 0.06 * rim)]
    assert surface[:, 2].max() > 0.0, "no root stands above the soil"
    low = points[:, 2].min()
    hit, wall, _, _ = pot.ray_cast((2.0 * rim, 0.001 * rim, low), (-1.0, 0.0, 0.0))
    assert hit, "the soil ends above the pot's bottom"
    assert across[np.isclose(points[:, 2], low)].max() < wall.x, "and within its wall"


def test_what_is_framed_holds_the_pot(lsystem, grow_package):
    import bpy

    bpy.ops.mesh.primitive_cube_add()
    armature = grow_skeleton(lsystem.grow(PLANT), "Fern", pot=True)
    assert bpy.context.view_layer.objects.active == armature
    assert {obj.name.rpartition(" ")[2] for obj in bpy.context.selected_objects} == {"Fern", "Pot"}
    bpy.ops.transform.translate(value=(0.0, 0.0, 1.0))
    pot = next(child for child in armature.children if child.name.endswith("Pot"))
    assert pot.location.z == 0.0, "it moves with the plant, not twice"


@pytest.mark.slow
def test_every_preset_grows(presets):
    grown_presets = presets.all()
    assert len(grown_presets) > 20
    for name, grown in grown_presets.items():
        assert grown.bones == grown.segments, name
        assert grown.is_finite, name


def test_the_time_of_weights_grows_with_their_number_only(grow_package):
    """Eight times the bones and vertices take eight times as long, not sixty-four times."""
    import bpy

    def seconds(bones):
        mesh = bpy.data.meshes.new("Weights")
        mesh.vertices.add(40 * bones)
        own = np.repeat(np.arange(bones), 40)
        columns = np.stack([own, (own + 1) % bones], axis=1)
        weights = np.tile([0.25, 0.75], (len(own), 1))
        begin = time.perf_counter()
        grow_package("objects.deform_weights").write_deform_weights(mesh, columns, weights)
        taken = time.perf_counter() - begin
        last = mesh.vertices[len(own) - 1]
        assert {(g.group, round(g.weight, 6)) for g in last.groups} == {(bones - 1, 0.25), (0, 0.75)}
        return taken

    assert min(seconds(4000) for _ in range(3)) < 25 * min(seconds(500) for _ in range(3))


def test_points_know_what_shaders_may_ask(lsystem, plant):
    skeleton, armature = plant
    mesh = mesh_of(armature).data
    values = {}
    for name in ("plant_organ", "plant_order", "plant_age", "plant_variation", "plant_girth"):
        found = np.empty(
            len(mesh.vertices), dtype=np.float32 if mesh.attributes[name].data_type == "FLOAT" else np.int32
        )
        mesh.attributes[name].data.foreach_get("value", found)
        values[name] = found
    assert set(values["plant_order"]) == set(skeleton.order)
    assert set(values["plant_age"]) == set(skeleton.age)
    under = np.empty(len(mesh.polygons), dtype=np.float32)
    mesh.attributes["plant_under"].data.foreach_get("value", under)
    assert set(under) == {0.0, 1.0}
    stem = values["plant_organ"] <= 1
    assert (values["plant_girth"][stem] > 0).all()
    assert (values["plant_girth"][~stem] == 0).all()


def test_studio_camera_sees_every_point_and_wastes_no_room(fresh):
    framing = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.framing")
    points = np.random.default_rng(2).normal(size=(500, 3)) * (0.3, 0.3, 1.0)
    axes = framing.view_axes(0.4, 0.2)
    half_angles = (0.35, 0.26)
    place = framing.fitting_place(points, axes, half_angles, margin=0.05)
    right, up, backward = ((points - place) @ axes).T
    across, high = np.abs(right / backward) / np.tan(half_angles[0]), np.abs(up / backward) / np.tan(half_angles[1])
    assert (backward < 0).all()
    assert max(across.max(), high.max()) == pytest.approx(0.9)
