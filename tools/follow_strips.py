# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders strips of a head that turns, with hair, a tail and an ear on it, each with its preset. Needs `bpy`:

    .venv-blender-4.5/bin/python tools/follow_strips.py docs/pictures/row_follow.jpg

The head turns by 70 degrees from frame 12 to 24, half a second. Below each frame stands by how much of its length the
tip is away from where the head alone would carry it.
"""

import importlib
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from demo import EXTENSION
from enabled_extension import enabled_extension

TURN, FIRST, LAST = np.radians(70.0), 12, 24
FRAMES = (12, 16, 20, 24, 27, 30, 36, 42)
SIZE = (150, 190)
PIECES = 6
#: By preset: where it begins in the head and which way it goes, its length and radii at both ends, m.
PARTS = {
    "Hair": ((0.0, 0.11, 0.12), (0.0, 0.45, -1.0), 0.4, 0.030, 0.008),
    "Tail": ((0.0, 0.11, 0.12), (0.0, 0.45, -1.0), 0.4, 0.022, 0.010),
    "Ear": ((0.07, 0.0, 0.2), (0.3, 0.0, 1.0), 0.15, 0.022, 0.006),
}


def main() -> None:
    with enabled_extension() as folder:
        pictures = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures")
        rows = [[pictures.read_pixels(still) for still in strip(preset, folder)] for preset in PARTS]
        from preset_pictures import save_jpeg

        save_jpeg(pictures.sheet(rows), Path(sys.argv[1]).resolve())


def strip(preset: str, folder: Path) -> list[Path]:
    """The frames of one part."""
    import bpy
    from mathutils import Vector

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    place, way, length, thick, thin = PARTS[preset]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, FRAMES[-1], 24
    begin, step = Vector((0.0, 0.0, 1.5)) + Vector(place), Vector(way).normalized() * length / PIECES
    joints = [begin + number * step for number in range(PIECES + 1)]
    rig = head_with(joints, thick)
    bpy.ops.plant_dynamics.make_dynamic(bones="SELECTED")
    bpy.ops.plant_dynamics.preset_apply(kind="plant", preset=preset)
    bpy.ops.plant_dynamics.bake()
    bpy.ops.object.mode_set(mode="OBJECT")
    add_skins(rig, joints, thick, thin)
    studio.use_cycles(scene, studio.RenderQuality(*SIZE, 8))
    studio.light_softly(scene, (0.0, 0.0, 1.55), 0.8)
    low, high = min(joint.z for joint in joints), max(1.72, *(joint.z for joint in joints))
    around = np.array([[x, y, z] for x in (-0.22, 0.16) for y in (-0.12, 0.16) for z in (low - 0.09, high + 0.02)])
    studio.add_camera(scene, around, 150.0, 12.0, margin=0.02)
    label, stills, held = studio.add_label(scene, f"{preset}, 42: 100 %", 0.9), [], None
    label.data.size *= 2.2
    for frame in range(1, FRAMES[-1] + 1):
        scene.frame_set(frame)
        bones = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        head, tip = bones["Head"].matrix, bones[-1].tail
        held = held or head.inverted() @ tip
        if frame in FRAMES:
            off = (tip - head @ held).length / length
            label.data.body = f"{preset}, {frame}: {100 * off:.0f} %"
            print(label.data.body, flush=True)
            stills.append(folder / f"{preset}_{frame}.png")
            scene.render.filepath = str(stills[-1])
            bpy.ops.render.render(write_still=True)
    return stills


def head_with(joints, thick: float):
    """An armature with a keyed bone and a chain on it, which is selected in Pose Mode."""
    import bpy

    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    bones[0].name, bones[0].head, bones[0].tail = "Head", (0.0, 0.0, 1.5), (0.0, 0.0, 1.7)
    above = bones[0]
    for number, (start, end) in enumerate(pairwise(joints)):
        bone = bones.new(f"Part.{number}")
        bone.head, bone.tail, bone.parent, bone.use_connect = start, end, above, number > 0
        bone.head_radius = bone.tail_radius = 0.02
        above = bone
    bpy.ops.object.mode_set(mode="POSE")
    head = rig.pose.bones["Head"]
    head.rotation_mode = "XYZ"
    for frame, angle in ((FIRST, 0.0), (LAST, TURN)):
        head.rotation_euler = (0.0, angle, 0.0)  # about the bone, which is upright
        head.keyframe_insert("rotation_euler", frame=frame)
    for bone in rig.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name != "Head"
    return rig


def add_skins(rig, joints, thick: float, thin: float) -> None:
    """A head with a nose, and a smooth tube on the chain."""
    import bpy
    from mathutils import Vector

    shaders = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.looks.shader_nodes")

    def coloured(obj, name, colour):
        material = bpy.data.materials.new(name)
        shaders.ShaderTree(material).principled({"Base Color": colour, "Roughness": 0.6})
        obj.data.materials.append(material)

    for size, place in ((0.12, (0.0, 0.0, 1.6)), (0.03, (0.0, -0.125, 1.6))):
        bpy.ops.mesh.primitive_uv_sphere_add(radius=size, location=place, segments=32, ring_count=16)
        ball = bpy.context.object
        bpy.ops.object.shade_smooth()
        coloured(ball, "Skin", (0.62, 0.36, 0.25))
        ball.vertex_groups.new(name="Head").add(range(len(ball.data.vertices)), 1.0, "REPLACE")
        ball.parent = rig
        ball.modifiers.new("Armature", "ARMATURE").object = rig
    mesh = bpy.data.meshes.new("Part")
    after = [*joints[1:], joints[-1]]
    places = [Vector(joints[k // 2]).lerp(after[k // 2], 0.5 * (k % 2)) for k in range(2 * PIECES + 1)]
    mesh.from_pydata(places, [(k, k + 1) for k in range(len(places) - 1)], [])
    part = bpy.data.objects.new("Part", mesh)
    bpy.context.scene.collection.objects.link(part)
    coloured(part, "Hair", (0.12, 0.05, 0.02))
    part.parent = rig
    for number in range(PIECES):
        group = part.vertex_groups.new(name=f"Part.{number}")
        group.add([2 * number + 1], 1.0, "REPLACE")
        for end in (2 * number, 2 * number + 2):
            is_free = end in (0, 2 * PIECES)
            group.add([end], 1.0 if is_free else 0.5, "REPLACE")
    part.modifiers.new("Armature", "ARMATURE").object = rig
    part.modifiers.new("Skin", "SKIN").use_smooth_shade = True
    part.modifiers.new("Smooth", "SUBSURF").render_levels = 2
    for k, vertex in enumerate(mesh.skin_vertices[0].data):
        radius = thick + (thin - thick) * k / (2 * PIECES)
        vertex.radius = (radius, radius)


if __name__ == "__main__":
    main()
