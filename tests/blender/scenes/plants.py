# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes for the tests: a grown plant, a chain of bones, and ways to look at them."""

import importlib
from types import ModuleType

import bpy
import numpy as np

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
POSES = "rotation_quaternion"


def chain(count: int = 6, length: float = 0.1, name: str = "Chain") -> bpy.types.Object:
    """A horizontal chain of bones along X with envelope radii, selected and active, as a user would draw it."""
    armature = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, armature)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i in range(count):
        bone = armature.edit_bones.new(f"Bone.{i}")
        bone.head, bone.tail = (i * length, 0.0, 0.0), ((i + 1) * length, 0.0, 0.0)
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent, bone.use_connect = parent, parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


def grow(preset: str = "broad_leaf", pot: bool = False) -> bpy.types.Object:
    """A preset, grown by the operator."""
    options = bpy.context.scene.plant_dynamics
    options.source, options.preset, options.pot = "PRESET", preset, pot
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    return bpy.context.object


def grow_skeleton(skeleton, name: str, location=None, **recipe) -> bpy.types.Object:
    """A skeleton without a text, grown as the operator does."""
    names = ("grow.plant", "grow.recipe", "blender.meanwhile")
    plant, recipes, meanwhile = (importlib.import_module(f"{ADDON}.{one}") for one in names)
    steps = plant.plant_in_steps(bpy.context, skeleton, name, recipes.Recipe("", name, **recipe), location)
    return meanwhile.result_of(steps)


def mesh_of(armature: bpy.types.Object) -> bpy.types.Object:
    """The mesh object of a grown plant's skin."""
    return next(child for child in armature.children if child.name.endswith("Mesh"))


def key_location(
    obj: bpy.types.Object, keys: dict[int, tuple[float, float, float]], interpolation: str = ""
) -> None:
    """Key the object's location; Blender's default interpolation if none is given."""
    for frame, location in keys.items():
        obj.location = location
        obj.keyframe_insert("location", frame=frame)
    if interpolation:
        for curve in all_curves(obj.animation_data.action):
            for key in curve.keyframe_points if curve.data_path == "location" else ():
                key.interpolation = interpolation


def close_sessions(sessions: ModuleType) -> None:
    """Have the extension, by its module of sessions, know nothing of any motion."""
    for obj in bpy.data.objects:
        sessions.close_session(obj)


def show(frame: int) -> None:
    """Go to a frame and evaluate the scene."""
    bpy.context.scene.frame_set(frame)
    bpy.context.view_layer.update()


def matrices(obj: bpy.types.Object) -> np.ndarray:
    """(bones, 4, 4) world matrices of the evaluated pose."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    columns = np.empty(16 * len(evaluated.pose.bones), dtype=np.float32)
    evaluated.pose.bones.foreach_get("matrix", columns)
    return np.array(evaluated.matrix_world) @ columns.reshape(-1, 4, 4).transpose(0, 2, 1)


def check_orders_and_bakes(run_operator, obj: bpy.types.Object, drawn: np.ndarray, straight: np.ndarray) -> None:
    """What has been played straight on, (30, bones, 4, 4) from frame 1 on, is also shown when frames are jumped to,
    baked and baked anew, which follows what was there before and not its own keys; drawn is when it is cleared."""
    frames = range(1, 31)
    run_operator("reset")
    run_operator("play")
    for frame in (17, 3, 29, 30, 4, 11, 1, 22):
        show(frame)
        assert np.abs(matrices(obj) - straight[frame - 1]).max() < 1e-5
    run_operator("bake")
    baked = played(obj, frames)
    assert np.abs(baked - straight).max() < 1e-5
    run_operator("bake")
    assert np.abs(played(obj, frames) - baked).max() < 1e-5
    run_operator("clear_bake")
    assert np.abs(played(obj, frames) - drawn).max() < 1e-6


def tip(obj: bpy.types.Object, bone: str) -> np.ndarray:
    """(3,) world position of a bone's tail."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(evaluated.matrix_world @ evaluated.pose.bones[bone].tail)


def played(obj: bpy.types.Object, frames: range) -> np.ndarray:
    """(frames, bones, 4, 4) poses when the frames are shown one after the other."""
    poses = []
    for frame in frames:
        show(frame)
        poses.append(matrices(obj))
    return np.array(poses)


def all_curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """All F-curves of an action, in all Blender versions."""
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


def curves(action: bpy.types.Action) -> dict[tuple[str, int], np.ndarray]:
    """All F-curves of an action: (keys, 6) coordinates and handles by path and index, in all Blender versions."""
    result = {}
    for curve in all_curves(action):
        columns = []
        for name in ("co", "handle_left", "handle_right"):
            values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
            curve.keyframe_points.foreach_get(name, values)
            columns.append(values.reshape(-1, 2))
        result[curve.data_path, curve.array_index] = np.concatenate(columns, axis=1)
    return result


def tip_bone(obj):
    """Name of the bone that ends farthest from the base."""
    return max(obj.data.bones, key=lambda b: b.tail_local.length).name


def select(obj: bpy.types.Object, *names: str) -> None:
    """Select bones of these names and no others."""
    for bone in obj.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name in names


def straight_lines(name: str, points) -> bpy.types.Object:
    """A curve of straight lines through points (m)."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
    obj = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def lead_along_a_line(bone, count: int, points):
    """Spline IK of a pose bone and those above it, so many in all, on lines through points that move aside and back by
    frame 30."""
    line = straight_lines("Line", points)
    key_location(line, {1: (0.0, 0.0, 0.0), 15: (0.05, 0.1, 0.05), 30: (0.0, 0.0, 0.0)})
    constraint = bone.constraints.new("SPLINE_IK")
    constraint.target, constraint.chain_count = line, count
    constraint.y_scale_mode = constraint.xz_scale_mode = "NONE"
    return constraint
