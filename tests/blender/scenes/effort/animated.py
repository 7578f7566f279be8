# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures whose animation has a closed form, and what is measured of them."""

import importlib
import math

import bpy
import numpy as np

from tests.blender.scenes import plants
from tests.blender.scenes.plants import ADDON

LENGTH, RADIUS, DENSITY, GRAVITY = 0.5, 0.01, 900.0, 9.81
#: Of a rod of that length, full and round, about its end; its mass.
MASS = DENSITY * math.pi * RADIUS**2 * LENGTH
INERTIA = MASS * (LENGTH**2 / 3.0 + RADIUS**2 / 4.0)


def stick(direction=(0.0, 0.0, -1.0), count=1, name="Stick", length=LENGTH):
    """A straight chain of bones, dynamic, with one radius and density."""
    armature = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, armature)
    bpy.context.scene.collection.objects.link(obj)
    for other in bpy.context.view_layer.objects:
        other.select_set(other == obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i in range(count):
        bone = armature.edit_bones.new(f"Bone.{i}")
        bone.head = length * i * np.array(direction)
        bone.tail = length * (i + 1) * np.array(direction)
        bone.roll = 0.0
        bone.parent, bone.use_connect = parent, parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    settings = obj.plant_dynamics
    settings.radius_source, settings.radius, settings.density = "FIXED", RADIUS, DENSITY
    return obj


def over(frames, fps):
    """Have the scene so many frames from 1 on, and give their times (s)."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps, scene.render.fps_base = 1, frames, fps, 1.0
    return np.arange(frames) / fps


def key(owner, path, values, index=-1):
    """A key on every frame from 1 on."""
    for frame, value in enumerate(np.asarray(values).tolist(), start=1):
        if index >= 0:
            getattr(owner, path)[index] = value
        else:
            setattr(owner, path, value)
        owner.keyframe_insert(path, index=index, frame=frame)


def key_turn(bone, angles, axis=0):
    """Key a bone's turn (rad) about one of its own axes, by Euler angles."""
    bone.rotation_mode = "XYZ"
    key(bone, "rotation_euler", angles, axis)


def measured(obj):
    """What the extension measures of the scene's frames."""
    efforts, meanwhile = (importlib.import_module(f"{ADDON}.{one}") for one in ("effort.efforts", "blender.meanwhile"))
    return meanwhile.result_of(efforts.measure(bpy.context, obj, bpy.context.scene.frame_end))


def refused(obj):
    """The text of the error with which measuring ends."""
    errors = importlib.import_module(f"{ADDON}.errors")
    try:
        measured(obj)
    except errors.PlantError as error:
        return str(error)
    raise AssertionError("it is measured")


def gravity_moments(obj, names):
    """Of bones as they stand, the moments (n, 3) N m that hold the weight of them and all beyond, in world axes."""
    world = dict(zip(obj.pose.bones.keys(), plants.matrices(obj), strict=True))
    found = []
    for name in names:
        bone = obj.data.bones[name]
        at, total = world[name][:3, 3], np.zeros(3)
        for one in (bone, *bone.children_recursive):
            centre = world[one.name][:3, 3] + 0.5 * one.length * world[one.name][:3, 1]
            mass = DENSITY * math.pi * RADIUS**2 * one.length
            total += np.cross(centre - at, (0.0, 0.0, mass * GRAVITY))
        found.append(total)
    return np.array(found)
