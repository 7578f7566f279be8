# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of one armature that touch each other: played, scrubbed, baked and shown."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon

FRAMES = range(1, 21)
RADIUS = 0.004


@pytest.fixture
def obj(fresh, run_operator):
    """A chain along X and, with a root of its own, limp, one across it 2 cm above."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(4)
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i in range(4):
        bone = obj.data.edit_bones.new(f"Cross.{i}")
        bone.head, bone.tail = (0.15, 0.1 * i - 0.15, 0.02), (0.15, 0.1 * i - 0.05, 0.02)
        bone.head_radius = bone.tail_radius = RADIUS
        bone.parent, bone.use_connect = parent, parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    obj.plant_dynamics.start, obj.plant_dynamics.stiffness_factor = "drawn", 0.05
    obj.plant_dynamics.layout = "base"  # bones are straight, as they are shown
    for bone in obj.data.bones:
        if bone.name.startswith("Bone"):
            bone.plant_dynamics.stiffness_factor = 100.0
    obj.plant_dynamics.contact.itself = True
    return obj


def go_live():
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)


def nearest(obj) -> float:
    """Least distance (m) of the axes of both chains, between points of them."""
    bones, t = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones, np.linspace(0.0, 1.0, 200)[:, None]

    def points(name):
        ends = [(np.array(one.head), np.array(one.tail)) for one in bones if one.name.startswith(name)]
        return np.concatenate([head + t * (tail - head) for head, tail in ends])

    one, other = points("Bone"), points("Cross")
    return float(np.linalg.norm(one[:, None] - other[None], axis=2).min())


@pytest.mark.parametrize("speed", [0.0, 0.1])
def test_bones_that_overlap_as_drawn_are_pushed_apart_if_asked(obj, speed):
    for bone in obj.data.bones:
        bone.use_deform, bone.head_radius, bone.tail_radius = True, 0.011, 0.011
    obj.plant_dynamics.contact.push_apart = speed
    go_live()
    plants.show(1)
    assert nearest(obj) == pytest.approx(0.02, abs=1e-4)
    found = []
    for frame in FRAMES:
        plants.show(frame)
        found.append(nearest(obj))
    assert (min(found[-5:]) > 0.97 * 0.022) == (speed > 0.0), found


def least_distance(obj) -> float:
    go_live()
    found = []
    for frame in FRAMES:
        plants.show(frame)
        found.append(nearest(obj))
    return min(found)


def test_chains_of_one_armature_hold_each_other(fresh, obj):
    assert least_distance(obj) > 1.95 * RADIUS
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    contacts = of_addon(fresh, "dynamics.motion.contacts")
    touched = [contacts.contacts_at(session, frame) for frame in FRAMES]
    first = next(one for one in touched if len(one.rod))
    named = {session.plant.bones[rod].split(".")[0] for rod in first.rod}
    assert named == {"Bone", "Cross"}
    obj.plant_dynamics.contact.itself = False
    assert least_distance(obj) < RADIUS


def test_it_is_the_same_whatever_frames_are_shown_and_as_a_bake(fresh, obj, run_operator, select_only):
    go_live()
    forth = plants.played(obj, FRAMES)
    of_addon(fresh, "dynamics.live.live").stop_live(obj)
    go_live()
    for frame in (12, 3, 20, 7):
        plants.show(frame)
        assert (plants.matrices(obj) == forth[frame - 1]).all()
    select_only(obj)
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - forth).max() < 1e-5
