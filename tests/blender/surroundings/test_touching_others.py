# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of different armatures that touch each other: played, scrubbed, baked, changed and saved."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon

FRAMES = range(1, 21)
RADIUS = 0.004


def dynamic_chain(name, location, angle, run_operator, factor):
    obj = plants.chain(4, name=name)
    obj.location, obj.rotation_euler.z = location, angle
    run_operator("make_dynamic")
    settings = obj.plant_dynamics
    settings.start, settings.layout = "drawn", "base"  # bones are straight, as they are shown
    for bone in obj.data.bones:
        bone.plant_dynamics.stiffness_factor = factor
    settings.contact.others = True
    return obj


@pytest.fixture
def both(fresh, run_operator):
    """A stiff chain along X and a limp one across it 2 cm above."""
    bpy.context.scene.frame_end = FRAMES[-1]
    one = dynamic_chain("Branch", (0.0, 0.0, 0.0), 0.0, run_operator, 5.0)
    return one, dynamic_chain("Hair", (0.15, -0.15, 0.02), 0.5 * np.pi, run_operator, 0.05)


def go_live():
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)


def axes(obj) -> np.ndarray:
    evaluated, t = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()), np.linspace(0.0, 1.0, 200)[:, None]
    world = evaluated.matrix_world
    ends = [(np.array(world @ one.head), np.array(world @ one.tail)) for one in evaluated.pose.bones]
    return np.concatenate([head + t * (tail - head) for head, tail in ends])


def least_distance(one, other) -> float:
    go_live()
    found = []
    for frame in FRAMES:
        plants.show(frame)
        found.append(np.linalg.norm(axes(one)[:, None] - axes(other)[None], axis=2).min())
    return min(found)


def test_plants_of_two_armatures_hold_each_other(fresh, both):
    assert least_distance(*both) > 1.95 * RADIUS
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(both[0])
    contacts = of_addon(fresh, "dynamics.motion.contacts")
    assert any(len(contacts.contacts_at(session, frame).rod) for frame in FRAMES)
    both[1].plant_dynamics.contact.others = False
    assert least_distance(*both) < RADIUS


def test_it_is_the_same_whatever_frames_are_shown_and_as_a_bake(fresh, both, run_operator, select_only):
    go_live()
    forth = [plants.played(obj, FRAMES) for obj in both]
    live = of_addon(fresh, "dynamics.live.live")
    for obj in both:
        live.stop_live(obj)
    go_live()
    for frame in (12, 3, 20, 7):
        plants.show(frame)
        for obj, poses in zip(both, forth, strict=True):
            assert (plants.matrices(obj) == poses[frame - 1]).all()
    select_only(both[0])
    run_operator("bake")
    assert all(obj.plant_dynamics.is_baked for obj in both), "they are baked together"
    for obj, poses in zip(both, forth, strict=True):
        assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-5


def test_what_changes_for_one_changes_for_both(fresh, both):
    go_live()
    before = plants.played(both[0], FRAMES)
    both[1].location.z += 0.005
    bpy.context.view_layer.update()
    of_addon(fresh, "changes").inputs_changed(both[1])
    plants.show(1)
    after = plants.played(both[0], FRAMES)
    assert np.abs(after - before).max() > 1e-5
    both[1].location.z -= 0.005
    bpy.context.view_layer.update()
    of_addon(fresh, "changes").inputs_changed(both[1])
    plants.show(1)
    assert (plants.played(both[0], FRAMES) == before).all()


def test_without_the_other_it_moves_as_alone(fresh, both, run_operator):
    go_live()
    plants.played(both[0], FRAMES)
    both[1].plant_dynamics.contact.others = False
    go_live()
    apart = plants.played(both[0], FRAMES)
    bpy.data.objects.remove(both[1])
    assert bpy.ops.plant_dynamics.reset() == {"FINISHED"}
    go_live()
    assert (plants.played(both[0], FRAMES) == apart).all()


def test_those_that_cannot_touch_are_told_and_go_apart(fresh, both):
    both[1].plant_dynamics.gravity_factor = 0.5
    relations = of_addon(fresh, "relations")
    assert relations.group_of(both[0]) != relations.group_of(both[1])
    assert least_distance(*both) < 1.9 * RADIUS
