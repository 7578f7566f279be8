# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts are drawn where the plant stands, also where it has been carried after it was simulated."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, plant, primitive
from tests.blender.scenes.comparisons import LAST, compared


@pytest.fixture
def obj(fresh, run_operator, select_only):
    """A limp chain that falls onto a ball."""
    bpy.context.scene.frame_end = LAST
    obj = plant(run_operator)
    obj.plant_dynamics.contact.collide_with = "SCENE"
    obj.plant_dynamics.contact.show_in_viewport = True
    collide(primitive("uv_sphere", "Ball", radius=0.1, location=(0.3, 0.0, 0.17)))
    select_only(obj)
    return obj


def shown(fresh, scene):
    found = of_addon(fresh, "dynamics.motion.contacts").shown_contacts(scene)
    return {plant: touched for plant, _, touched in found}


def test_each_plant_of_a_row_has_its_own(fresh, obj):
    comparison = compared(obj, "FRICTION", "0, 1")
    bpy.context.window.scene = comparison.scene
    comparison.scene.frame_set(LAST)
    bpy.context.view_layer.update()
    found = shown(fresh, comparison.scene)
    copies = [place.variant.obj for place in comparison.places]
    assert set(found) == set(copies)
    for copy in copies:
        ends = np.array([(copy.matrix_world @ bone.matrix).translation for bone in copy.pose.bones])
        away = np.linalg.norm(found[copy].point[:, None] - ends, axis=2).min(axis=1)
        assert away.max() < 0.2, copy.name
    apart = copies[1].matrix_world.translation - copies[0].matrix_world.translation
    assert apart.length > 0.3


def test_they_turn_with_a_baked_plant(fresh, obj, run_operator):
    run_operator("bake")
    plants.show(LAST)
    before = shown(fresh, bpy.context.scene)[obj]
    obj.rotation_euler.z, obj.location.x = 0.5 * np.pi, 1.0
    bpy.context.view_layer.update()
    after = shown(fresh, bpy.context.scene)[obj]
    for was, now, start in ((before.point, after.point, (1.0, 0.0, 0.0)), (before.force, after.force, (0.0, 0.0, 0.0))):
        turned = np.stack([-was[:, 1], was[:, 0], was[:, 2]], axis=1) + start
        assert now == pytest.approx(turned, abs=1e-5)


def test_they_are_where_the_plant_was_simulated_as_long_as_it_stands_there(fresh, obj, run_operator):
    obj.rotation_euler = (0.1, 0.05, 0.1)
    run_operator("play")
    plants.show(LAST)
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    known = session.known.frames[LAST - 1].contacts
    touched = shown(fresh, bpy.context.scene)[obj]
    assert touched.point == pytest.approx(known.point, abs=1e-6)
