# SPDX-License-Identifier: GPL-3.0-or-later
"""Run with the sources of version 0.1, of which it makes a file with its motion; see README.md.

python make_file.py SOURCES FOLDER
"""

import os
import sys
import tempfile
from pathlib import Path

PACKED = ("__init__.py", "blender_manifest.toml", "lsystem", "solver", "plant_dynamics_addon")
EXTENSION = "bl_ext.user_default.plant_dynamics"
FRAMES = range(1, 25)


def install(sources: Path) -> None:
    """Link the extension into a user folder of its own, and enable it."""
    user = Path(tempfile.mkdtemp(prefix="plant_dynamics_first_"))
    folder = user / "extensions" / "user_default" / "plant_dynamics"
    folder.mkdir(parents=True)
    for name in PACKED:
        (folder / name).symlink_to(sources.resolve() / name)
    os.environ["BLENDER_USER_RESOURCES"] = str(user)
    os.environ["BLENDER_USER_EXTENSIONS"] = str(user / "extensions")
    import bpy  # the folders are read when it is imported; addon_utils is there only after that

    import addon_utils  # isort: skip

    assert addon_utils.enable(EXTENSION, default_set=True) is not None
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def draw():
    """A stem of 12 bones, bent as drawn, with two branches of 5, on a base that is keyed to travel and to turn."""
    import bpy

    armature = bpy.data.armatures.new("Drawn")
    obj = bpy.data.objects.new("Drawn", armature)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")

    def line(name, parent, at, ways, radius):
        for i, way in enumerate(ways):
            bone = armature.edit_bones.new(f"{name}.{i}")
            bone.head, bone.tail = at, [a + b for a, b in zip(at, way, strict=True)]
            bone.head_radius, bone.tail_radius = radius, 0.92 * radius
            bone.parent, bone.use_connect = parent, parent is not None and tuple(parent.tail) == tuple(bone.head)
            parent, at, radius = bone, tuple(bone.tail), 0.92 * radius
        return parent

    line("Stem", None, (0.0, 0.0, 0.0), [(0.004 * i, 0.002 * i, 0.08) for i in range(12)], 0.005)
    for name, below, side in (("Left", "Stem.4", -1.0), ("Right", "Stem.7", 1.0)):
        parent = armature.edit_bones[below]
        line(name, parent, tuple(parent.tail), [(0.05 * side, 0.03, 0.01 * i) for i in range(5)], 0.003)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    obj.plant_dynamics.young_modulus = 700.0
    for frame, place, angle in ((1, (0.0, 0.0, 0.0), 0.0), (9, (0.15, 0.0, 0.05), 0.2), (20, (0.0, 0.1, 0.0), -0.1)):
        obj.location, obj.rotation_euler.x = place, angle
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)
    return obj


def grow():
    """The broad-leaf plant as it came with 0.1, of five leaves, beside the other."""
    import bpy

    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    options = bpy.context.scene.plant_dynamics
    options.source, options.preset, options.detail = "PRESET", "broad_leaf", "LOW"
    options.constants["leaves"].value = 5
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    obj = bpy.context.object
    obj.name = "Grown"
    return obj


def main(sources: Path, folder: Path) -> None:
    install(sources)
    import bpy
    import numpy as np

    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    objects = {"drawn": draw(), "grown": grow()}
    wind = scene.plant_dynamics.wind
    wind.use_air, wind.source, wind.speed, wind.length_scale, wind.seed = True, "GUSTS", 9.0, 4.0, 3
    for obj in objects.values():
        bpy.context.view_layer.objects.active = obj
        assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    poses = {name: [] for name in objects}
    for frame in FRAMES:
        scene.frame_set(frame)
        bpy.context.view_layer.update()
        for name, obj in objects.items():
            shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            poses[name].append([tuple(bone.rotation_quaternion) for bone in shown.pose.bones])
        print(frame, flush=True)
    scene.frame_set(FRAMES[0])
    names = {f"{name}_bones": np.array(obj.pose.bones.keys()) for name, obj in objects.items()}
    turned = {name: np.array(pose, dtype=np.float32) for name, pose in poses.items()}
    np.savez_compressed(folder / "motion.npz", **turned, **names)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "plants.blend"), compress=True)
    sys.stdout.flush()
    os._exit(0)  # some releases of bpy hang when Python tears them down


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
