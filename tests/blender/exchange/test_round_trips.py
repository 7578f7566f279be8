# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked plant goes to a file of another format and comes back: bones and skin are where they were, at every frame.

The settings are those that the guide's page on exchange names.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import addon_utils
import bpy
import numpy as np
import pytest
from mathutils.kdtree import KDTree

from tests.forms import IS_FULL

FRAMES = range(11, 19)  # what begins at frame 1 may come back right by accident
EXACT = 1e-4  # of the plant's size


def to_gltf(path: str) -> None:
    addon_utils.enable("io_scene_gltf2")
    bpy.ops.export_scene.gltf(filepath=path, export_all_influences=True)


def to_fbx(path: str) -> None:
    addon_utils.enable("io_scene_fbx")
    bpy.ops.export_scene.fbx(filepath=path, add_leaf_bones=False, bake_anim_simplify_factor=0.0,
                             bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False)  # fmt: skip


def from_fbx(path: str) -> None:
    bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)


def to_usd(path: str) -> None:
    bpy.ops.wm.usd_export(filepath=path, export_animation=True, export_armatures=True)


def to_alembic(path: str) -> None:
    bpy.ops.wm.alembic_export(filepath=path, start=FRAMES[0], end=FRAMES[-1], as_background_job=False)


class Format(NamedTuple):
    """suffix, how it is written and read, and whether there are bones in it."""

    suffix: str
    write: Callable[[str], None]
    read: Callable[[str], object]
    has_bones: bool = True


FORMATS = {
    "glTF": Format("glb", to_gltf, lambda path: bpy.ops.import_scene.gltf(filepath=path)),
    "FBX": Format("fbx", to_fbx, from_fbx),
    "USD": Format("usdc", to_usd, lambda path: bpy.ops.wm.usd_import(filepath=path)),
    "Alembic": Format(
        "abc", to_alembic, lambda path: bpy.ops.wm.alembic_import(filepath=path, as_background_job=False), False
    ),
}


@pytest.fixture
def plant(fresh, run_operator):
    """Baked in a storm, in a pot."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    scene.plant_dynamics.pot = True
    run_operator("grow")
    obj = bpy.context.object
    run_operator("wind_preset", preset="STORM")
    run_operator("bake")
    return obj


def found(kind: str, modifier: str = "") -> bpy.types.Object | None:
    """The object of this kind in the scene, with such a modifier if it is named."""
    return next((one for one in bpy.context.scene.objects if one.type == kind
                 and (not modifier or modifier in {mod.type for mod in one.modifiers})), None)  # fmt: skip


def vertices(skin: bpy.types.Object) -> np.ndarray:
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    world = np.array(evaluated.matrix_world)
    return points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]


def heads(armature: bpy.types.Object) -> dict[str, np.ndarray]:
    """Where the bones begin, by their names with the letters that all formats have."""
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world = evaluated.matrix_world
    return {bone.name.replace(".", "_"): np.array(world @ bone.head) for bone in evaluated.pose.bones}


def shown(skin: bpy.types.Object, armature: bpy.types.Object | None):
    """Vertices, and heads of bones, at all frames."""
    points, bones = [], []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        points.append(vertices(skin))
        bones.append(heads(armature) if armature is not None else {})
    return points, bones


def farthest(points: np.ndarray, others: np.ndarray) -> float:
    """How far a point is at most from the other one of its number, or from the nearest where there are more of them."""
    if len(points) == len(others):
        return float(np.abs(points - others).max())
    tree = KDTree(len(points))
    for number, point in enumerate(points):
        tree.insert(point, number)
    tree.balance()
    return max(tree.find(point)[2] for point in others)


@pytest.mark.parametrize("name", FORMATS)
def test_a_baked_plant_comes_back_as_it_was(plant, tmp_path: Path, name: str):
    form, skin = FORMATS[name], found("MESH", "ARMATURE")
    if form.has_bones:
        skin.modifiers[0].use_deform_preserve_volume = False  # other programs skin linearly
    size, (points, bones) = max(skin.dimensions), shown(skin, plant)
    assert np.abs(points[-1] - points[0]).max() > 0.01 * size, "it moves"
    path = str(tmp_path / f"plant.{form.suffix}")
    form.write(path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = FRAMES[0], FRAMES[-1]
    form.read(path)
    skin = found("MESH", "ARMATURE" if form.has_bones else "MESH_SEQUENCE_CACHE")
    read_points, read_bones = shown(skin, found("ARMATURE"))
    off = max(farthest(*pair) for pair in zip(points, read_points, strict=True)) / size
    print(f"{name}: the skin is off by {off:.1e} of its size")
    assert off < EXACT
    if form.has_bones:
        assert read_bones[0].keys() == bones[0].keys()
        assert off_at_most(bones, read_bones) < EXACT * size
    assert len([one for one in bpy.context.scene.objects if one.type == "MESH" and "Pot" in one.name]) == 1


def test_preserved_volume_is_lost_on_the_way_but_bones_are_not(plant, tmp_path):
    """So the guide says to switch it off, or to take Alembic."""
    skin = found("MESH", "ARMATURE")
    size, (points, bones) = max(skin.dimensions), shown(skin, plant)
    path = str(tmp_path / "plant.fbx")
    to_fbx(path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    FORMATS["FBX"].read(path)
    read_points, read_bones = shown(found("MESH", "ARMATURE"), found("ARMATURE"))
    assert max(farthest(*pair) for pair in zip(points, read_points, strict=True)) / size > EXACT
    assert off_at_most(bones, read_bones) < EXACT * size


def test_what_has_come_off_moves_where_bones_read_from_fbx_are_disconnected(fresh, run_operator, tmp_path):
    """As the guide says: Blender's importer connects it to where it was."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    scene.plant_dynamics.preset = "shrub"
    if not IS_FULL:
        scene.plant_dynamics.age = 14.0
    run_operator("grow")
    plant = bpy.context.object
    bpy.ops.object.mode_set(mode="POSE")
    stems = [bone for bone in plant.data.bones if bone.plant_dynamics.organ == "stem" and bone.parent
             and len(bone.children_recursive) > 5]  # fmt: skip
    cut = stems[len(stems) // 2]
    name = cut.name.replace(".", "_")
    for bone in plant.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name == cut.name
    plant.data.bones.active = cut
    scene.frame_set(FRAMES[2])
    run_operator("cut_here")
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("bake")
    size, bones = max(found("MESH", "ARMATURE").dimensions), shown_bones(plant)
    assert np.linalg.norm(bones[-1][name] - bones[0][name]) > 0.01 * size, "it falls"
    path = str(tmp_path / "plant.fbx")
    to_fbx(path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    from_fbx(path)
    read = found("ARMATURE")
    assert off_at_most(bones, shown_bones(read)) > 0.01 * size
    bpy.context.view_layer.objects.active = read
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in read.data.edit_bones:
        bone.use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    assert off_at_most(bones, shown_bones(read)) < EXACT * size


def shown_bones(armature: bpy.types.Object) -> list[dict[str, np.ndarray]]:
    """Heads of bones at all frames."""
    return shown(found("MESH", "ARMATURE"), armature)[1]


def off_at_most(bones: list[dict[str, np.ndarray]], others: list[dict[str, np.ndarray]]) -> float:
    return float(max(np.linalg.norm(one[bone] - other[bone]) for one, other in zip(bones, others, strict=True)
                     for bone in one))  # fmt: skip
