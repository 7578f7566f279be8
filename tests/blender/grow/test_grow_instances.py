# SPDX-License-Identifier: GPL-3.0-or-later
"""Instanced leaves and flowers sit where the skin's would, and move with their bones."""

import importlib

import numpy as np
import pytest

from tests.blender.scenes import plants

EXTENSION = "bl_ext.user_default.plant_dynamics"
PLANT = """
steps: 5
axiom: F(0.05, 0.004) A(0)
A(n) : n < 4 -> F(0.05, 0.003) [ &(60) ~Petiole(0.03, 0.001) &(20) ~Leaf(0.08 - 0.01*n, 0.04) ] /(137.5) A(n+1)
A(n) : n >= 4 -> [ &(50) ~Leaf(0.03, 0.01) ~Leaf(0.03, 0.01) ] F(0.02, 0.003) ~Flower(0.01, 0.03)
"""


@pytest.fixture
def pair(fresh):
    """The same plant with a skin in one piece, and with instances."""

    skeleton = importlib.import_module(f"{EXTENSION}.lsystem").grow(PLANT)
    at_origin = {"location": (0.0, 0.0, 0.0), "detail": "HIGH"}
    whole = plants.grow_skeleton(skeleton, "Whole", **at_origin)
    return skeleton, whole, plants.grow_skeleton(skeleton, "Copies", instanced=True, **at_origin)


def copies_of(armature):
    """World matrices and data names of all instances below the armature object, in the present frame."""
    import bpy

    found = []
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        if instance.is_instance and instance.parent.original.parent == armature and instance.object.type == "MESH":
            vertices = np.array([vertex.co for vertex in instance.object.data.vertices])
            found.append((np.array(instance.matrix_world), vertices, instance.object.data.materials))
    return found


def bone_matrices(armature, organs):
    evaluated = plants.matrices(armature)
    names = [bone.name for bone in armature.pose.bones]
    return {n: evaluated[i] for i, n in enumerate(names) if n.split(".")[0] in organs}


def test_every_single_leaf_and_flower_is_one_copy_at_its_bone(pair):
    skeleton, _, armature = pair
    copies = copies_of(armature)
    assert len(copies) == 5, "four leaves of one segment and a flower; the leaf of two segments bends"
    heads = np.array([m[:3, 3] for name, m in bone_matrices(armature, {"Leaf", "Flower"}).items()])
    for matrix, _, materials in copies:
        assert np.linalg.norm(heads - matrix[:3, 3], axis=1).min() < 1e-6
        assert len(materials) == 7
    skin = plants.mesh_of(armature).data
    organs = np.empty(len(skin.vertices), dtype=np.int32)
    skin.attributes["plant_organ"].data.foreach_get("value", organs)
    assert set(organs) == {0, 1, 2}, "stem, petioles, and the leaf of two segments"
    of_leaf = {index for index, organ in enumerate(skeleton.organ) if organ == 2}
    assert len(of_leaf) == 6


def test_copies_move_with_the_pose_of_every_frame(pair):
    import bpy
    from mathutils import Quaternion

    _, _, armature = pair
    for name in ("Stem.002", "Leaf.002", "Flower.001"):
        bone = armature.pose.bones[name]
        for frame, angle in ((1, 0.0), (10, 1.1)):
            bone.rotation_quaternion = Quaternion((0.6, 0.0, 0.8), angle)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    plants.show(1)
    before = bone_matrices(armature, {"Leaf", "Flower"})
    first = copies_of(armature)
    plants.show(10)
    after, last = bone_matrices(armature, {"Leaf", "Flower"}), copies_of(armature)
    moved = 0
    for (old, _, _), (new, _, _) in zip(first, last, strict=True):
        name = min(before, key=lambda n: np.linalg.norm(before[n][:3, 3] - old[:3, 3]))
        turn = after[name] @ np.linalg.inv(before[name])
        np.testing.assert_allclose(new, turn @ old, atol=2e-5)
        moved += np.abs(new - old).max() > 0.01
    assert moved == 5
    assert bpy.context.scene.frame_current == 10


def test_copies_are_as_large_as_the_skins_leaves(pair):
    _, whole, armature = pair
    skin = plants.mesh_of(whole)
    names = {group.index: group.name for group in skin.vertex_groups}
    points = np.array([vertex.co for vertex in skin.data.vertices])
    owner = np.array([names[max(v.groups, key=lambda g: g.weight).group] for v in skin.data.vertices])
    for name, matrix in bone_matrices(armature, {"Leaf", "Flower"}).items():
        own = [c for c in copies_of(armature) if np.linalg.norm(c[0][:3, 3] - matrix[:3, 3]) < 1e-6]
        if not own:
            assert name in ("Leaf.005", "Leaf.006")
            continue
        placed = own[0][1] @ own[0][0][:3, :3].T + own[0][0][:3, 3]
        local, wanted = ((p - matrix[:3, 3]) @ matrix[:3, :3] for p in (placed, points[owner == name]))
        assert local[:, 1].max() == pytest.approx(wanted[:, 1].max(), abs=0.004)
        assert np.ptp(local[:, 0]) == pytest.approx(np.ptp(wanted[:, 0]), rel=0.15)


def test_copies_carry_attributes_and_physics_does_not_change(pair):
    _, whole, armature = pair
    for one, other in zip(whole.data.bones, armature.data.bones, strict=True):
        assert one.plant_dynamics.blade_area == other.plant_dynamics.blade_area
        assert one.plant_dynamics.drag_factor == other.plant_dynamics.drag_factor
    import bpy

    carrier = next(child for child in armature.children if child.name.endswith("Organs"))
    evaluated = carrier.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert {"plant_organ", "plant_order", "plant_age", "plant_variation"} <= set(carrier.data.attributes.keys())
    assert len(carrier.data.vertices) == 15, "three points for each"
    assert len(evaluated.data.vertices) == 15 + 4, "and the face that is there to hide them"
    tree = carrier.modifiers["Instances"].node_group
    stored = {n.inputs["Name"].default_value for n in tree.nodes if n.bl_idname == "GeometryNodeStoreNamedAttribute"}
    assert "plant_variation" in stored


def test_object_mode_shows_no_dots_and_no_lines(pair):
    """Blender draws points where a mesh has no edge, and edges that belong to no face."""
    import bpy

    carrier = next(child for child in pair[2].children if child.name.endswith("Organs"))
    mesh = carrier.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert len(mesh.edges) == 4
    assert not any(edge.is_loose for edge in mesh.edges)
    assert [polygon.area for polygon in mesh.polygons] == [0.0]


def test_copies_are_there_when_the_file_is_opened_again(pair, tmp_path):
    import bpy

    name = pair[2].name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "plant.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "plant.blend"))
    assert len(copies_of(bpy.data.objects[name])) == 5


def test_the_grow_panel_decides(fresh):
    import bpy

    options = bpy.context.scene.plant_dynamics
    options.detail = "LOW"
    low = len(plants.mesh_of(plants.grow("broad_leaf")).data.vertices)
    options.detail = "HIGH"
    high = len(plants.mesh_of(plants.grow("broad_leaf")).data.vertices)
    assert low < 0.3 * high
    options.instance_leaves = True
    obj = plants.grow("broad_leaf")
    assert len(copies_of(obj)) == 10, "eight leaves and the young pair"
    assert len(plants.mesh_of(obj).data.vertices) < high


def test_buds_touch_nearly_as_wide_as_they_are_drawn(fresh):
    obj = plants.grow("mint")
    skin, bud = plants.mesh_of(obj), next(one for one in obj.data.bones if one.plant_dynamics.organ == "bud")
    data, group = bud.plant_dynamics, skin.vertex_groups[bud.name].index
    own = np.array([one.co for one in skin.data.vertices if [it.group for it in one.groups] == [group]])
    axis = np.array((bud.tail_local - bud.head_local).normalized())
    away = own - np.array(bud.head_local)
    width = np.linalg.norm(away - np.outer(away @ axis, axis), axis=1).max()
    touched = max(data.radius_base, data.radius_tip) + data.margin
    assert touched == pytest.approx(0.9 * width, rel=0.01)
