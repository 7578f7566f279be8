# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's figure, whose bones follow keys, and its garland, which is held by nails."""

import importlib
from pathlib import Path

import bpy
import numpy as np
from demo_contact_cases import ADDON, chosen, paint
from mathutils import Euler, Vector

commands = importlib.import_module(f"{ADDON}.commands")
presets = importlib.import_module(f"{ADDON}.presets.apply")

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

#: The figure's bones: parent, head and tail (m), and radius (m) of what is seen and touched. It looks along -Y.
FIGURE = {
    "Hip": ("", (0.0, 0.0, 0.50), (0.0, 0.0, 0.60), 0.085),
    "Waist": ("Hip", (0.0, 0.0, 0.60), (0.0, 0.0, 0.70), 0.07),
    "Chest": ("Waist", (0.0, 0.0, 0.70), (0.0, 0.0, 0.86), 0.095),
    "Neck": ("Chest", (0.0, 0.0, 0.89), (0.0, 0.0, 0.95), 0.03),
    "Head": ("Neck", (0.0, 0.0, 0.95), (0.0, 0.0, 1.13), 0.09),
    "Arm.L": ("Chest", (0.11, 0.0, 0.84), (0.26, 0.0, 0.90), 0.035),
    "Forearm.L": ("Arm.L", (0.26, 0.0, 0.90), (0.30, -0.04, 1.10), 0.03),
    "Arm.R": ("Chest", (-0.11, 0.0, 0.84), (-0.18, 0.0, 0.66), 0.035),
    "Forearm.R": ("Arm.R", (-0.18, 0.0, 0.66), (-0.19, -0.06, 0.47), 0.03),
    "Leg.L": ("Hip", (0.06, 0.0, 0.50), (0.08, 0.0, 0.0), 0.05),
    "Leg.R": ("Hip", (-0.06, 0.0, 0.50), (-0.08, 0.0, 0.0), 0.05),
}

#: Of its bones these stand as they are keyed and are not simulated.
_STANDING = ("Hip", "Leg.L", "Leg.R")


def make_figure() -> bpy.types.Object:
    """A jointed doll that waves and sways, all of it keyed."""
    armature = bpy.data.armatures.new("Figure")
    figure = bpy.data.objects.new("Figure", armature)
    bpy.context.scene.collection.objects.link(figure)
    chosen(figure)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail, radius) in FIGURE.items():
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = head, tail, armature.edit_bones.get(parent)
        bone.head_radius = bone.tail_radius = radius
    bpy.ops.object.mode_set(mode="OBJECT")
    for name, (_, head, tail, radius) in FIGURE.items():
        _limb_of(figure, name, 0.5 * (Vector(head) + Vector(tail)), Vector(tail) - Vector(head), radius)
    _act(figure)
    chosen(figure)
    return figure


def _limb_of(figure: bpy.types.Object, bone: str, middle: Vector, way: Vector, radius: float) -> None:
    """An egg that is carried by a bone."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=1.0, location=middle)
    egg = bpy.context.object
    egg.name = bone
    egg.rotation_euler = way.to_track_quat("Z", "Y").to_euler()
    egg.scale = (radius, radius, 0.5 * way.length + 0.25 * radius)
    bpy.ops.object.shade_smooth()
    paint(egg, "Wood", (0.55, 0.33, 0.16) if bone in ("Head", "Forearm.L", "Forearm.R") else (0.16, 0.28, 0.36))
    bpy.context.view_layer.update()
    world = egg.matrix_world.copy()
    egg.parent, egg.parent_type, egg.parent_bone = figure, "BONE", bone
    bpy.context.view_layer.update()
    egg.matrix_world = world


def _act(figure: bpy.types.Object) -> None:
    """It sways and waves with its left hand, all the while."""
    frames = range(1, 97, 6)
    for name, axis, size, period in (
        ("Waist", "Z", 0.07, 48), ("Chest", "Z", -0.05, 48), ("Head", "Y", 0.2, 48),
        ("Arm.L", "Z", 0.15, 24), ("Forearm.L", "Z", 0.45, 24), ("Arm.R", "X", 0.12, 48),
    ):  # fmt: skip
        bone = figure.pose.bones[name]
        bone.rotation_mode = "XYZ"
        for frame in frames:
            angle = size * np.sin(2.0 * np.pi * frame / period)
            bone.rotation_euler = Euler([angle if one == axis else 0.0 for one in "XYZ"])
            bone.keyframe_insert("rotation_euler", frame=frame)


def hit_by_a_ball(figure: bpy.types.Object) -> None:
    """A ball is thrown at its head; it gives way, and comes back to what is keyed."""
    bpy.ops.plant_dynamics.make_dynamic()
    settings = figure.plant_dynamics
    settings.radius_source, settings.density, settings.start = "ENVELOPE", 150.0, "keep_shape"
    for name in _STANDING:
        figure.data.bones[name].plant_dynamics.use_physics = False
    presets.apply_preset(bpy.context, "follow", "Acting")
    settings.following.recovery, settings.following.damping_ratio = 1.5, 0.6
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=0.1)
    ball = bpy.context.object
    ball.name = "Ball"
    bpy.ops.object.shade_smooth()
    paint(ball, "Rubber", (0.7, 0.08, 0.05))
    chosen(figure)
    bpy.ops.plant_dynamics.add_ground()
    bpy.data.objects["Ground"].hide_render = True
    chosen(figure, ball)
    bpy.ops.plant_dynamics.move_with_plant()
    thing = ball.plant_dynamics.thing
    thing.density = 500.0
    for frame, place in ((1, (-3.0, 0.28, 0.55)), (24, (0.83, 0.02, 1.08))):
        ball.location = place
        ball.keyframe_insert("location", frame=frame)
    for frame, held in ((1, True), (14, True), (15, False)):
        thing.is_held = held
        thing.keyframe_insert("is_held", frame=frame)
    chosen(figure)


def make_garland() -> bpy.types.Object:
    """The example's garland, level, between two posts."""
    garland = commands.grow(str(EXAMPLES / "garland.lsys"), location=(-0.55, 0.0, 1.0))
    garland.rotation_euler.z = -0.5 * np.pi  # it grows along Y
    bpy.context.view_layer.update()
    return garland


def hang_in_the_wind(garland: bpy.types.Object) -> None:
    """It hangs from two posts; gusts come up, and let off."""
    bpy.ops.plant_dynamics.guide_shoot(arrangement="GARLAND", slack=0.2)
    nail = garland.plant_dynamics.loads[0].target
    for x in (garland.location.x, nail.location.x):
        bpy.ops.mesh.primitive_cylinder_add(radius=0.015, depth=1.04, location=(x, 0.02, 0.52))
        post = bpy.context.object
        paint(post, "Post", (0.2, 0.13, 0.08))
        post.parent = garland
        post.matrix_parent_inverse = garland.matrix_world.inverted()
    chosen(garland)
    wind = bpy.context.scene.plant_dynamics.wind
    wind.source, wind.turbulence_intensity = "GUSTS", 0.4
    wind.direction = (0.3, 1.0, 0.0)
    for frame, speed in ((1, 0.0), (12, 1.0), (40, 6.0), (72, 2.0)):
        wind.speed = speed
        wind.keyframe_insert("speed", frame=frame)
