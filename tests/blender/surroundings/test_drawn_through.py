# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant is drawn through: colliders, itself, other plants and what they move; told, and selected by a click."""

import importlib

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, plant, primitive
from tests.blender.scenes.drawn_panels import Layout


def add_cross(obj, *heights):
    """Below the chain's second bone twigs of two bones each, the second of which leads across the chain's fourth bone,
    so high (m) above it."""
    bpy.ops.object.mode_set(mode="EDIT")
    for i, height in enumerate(heights):
        parent = obj.data.edit_bones["Bone.1"]
        places = [(0.2, 0.0, 0.0), (0.32 + 0.04 * i, -0.08, height), (0.32 + 0.04 * i, 0.08, height)]
        for k in range(2):
            bone = obj.data.edit_bones.new(f"Cross{i}.{k}")
            bone.head, bone.tail, bone.parent = places[k], places[k + 1], parent
            bone.head_radius = bone.tail_radius = 0.004
            parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.fixture
def obj(fresh, run_operator):
    bpy.context.scene.frame_end = 5
    obj = plant(run_operator)
    obj.plant_dynamics.contact.collide_with = "SCENE"
    return obj


def told(fresh, obj):
    """What the plant begins within, when it has been played."""
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)
    plants.show(2)
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    return of_addon(fresh, "dynamics.motion.contacts").drawn_through(session)


def other_plant(run_operator, name):
    """A chain with a root out of reach that leads through the first one's third bone, level and across."""
    other = plants.chain(4, name=name)
    other.location, other.rotation_euler.z = (0.25, -0.15, 0.3), 1.5707963
    run_operator("make_dynamic")
    settings = other.plant_dynamics
    settings.start, settings.stiffness_factor, settings.contact.collide_with = "drawn", 0.01, "SCENE"
    return other


def test_bones_within_each_other_are_told(fresh, obj):
    add_cross(obj, 0.003, 0.05)
    assert told(fresh, obj) == {}
    obj.plant_dynamics.contact.itself = True
    assert told(fresh, obj) == {"Chain": ["Bone.3", "Cross0.1"]}


@pytest.mark.parametrize(("thick", "radius", "near"), [("Cross0.0", 0.03, "Bone.2"), ("Bone.0", 0.13, "Bone.2")])
def test_bones_that_overlap_as_they_grow_are_not_told(fresh, obj, thick, radius, near):
    """Those of a fork, a bone and the next but one."""
    add_cross(obj, 0.003)
    bone = obj.data.bones[thick]
    bone.head_radius = bone.tail_radius = radius
    obj.plant_dynamics.contact.itself = True
    assert told(fresh, obj) == {"Chain": ["Bone.3", "Cross0.1"]}
    assert {thick, near} in left_alone(fresh, obj)


def left_alone(fresh, obj):
    """The pairs of bones that the solver leaves alone at the first frame."""
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    solver = importlib.import_module(f"{fresh.__name__}.solver")
    pairs = solver.pairs_left_alone(session.course.motion.simulation.systems, session.known.frames[0].snapshot)
    return [{session.plant.bones[rod] for rod in pair} for pair in pairs.tolist()]


def test_what_is_told_follows_the_scene(fresh, obj):
    """Without another press of Play."""
    ball = collide(primitive("uv_sphere", "Ball", radius=0.03, location=(0.15, 0.0, 0.3)))
    assert told(fresh, obj) == {"Ball": ["Bone.1"]}
    ball.location.x = 0.35
    bpy.context.view_layer.update()
    plants.show(1)
    plants.show(2)
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    assert of_addon(fresh, "dynamics.motion.contacts").drawn_through(session) == {"Ball": ["Bone.3"]}


def test_bones_within_another_plant_are_told_of_both(fresh, obj, run_operator):
    other = other_plant(run_operator, "Other")
    other.data.bones["Bone.0"].plant_dynamics.pinned = True
    assert told(fresh, obj) == {}
    for one in (obj, other):
        one.plant_dynamics.contact.others = True
    assert told(fresh, obj) == {"Other": ["Bone.2"]}
    assert told(fresh, other) == {"Chain": ["Bone.1"]}


def test_each_plant_that_goes_with_others_is_told_its_own_colliders(fresh, obj, run_operator):
    """Also where an object that a plant moves comes between them in the simulation, and is within one itself."""
    collide(primitive("uv_sphere", "Ball", radius=0.05, location=(0.35, 0.0, 0.3)))
    collide(primitive("uv_sphere", "Far Ball", radius=0.05, location=(0.35, 0.0, 2.0)))
    apple = primitive("uv_sphere", "Apple", radius=0.05, location=(0.36, 0.03, 2.03))
    above = plant(run_operator, height=2.0)
    above.name = "Above"
    for one in (obj, above):
        one.plant_dynamics.contact.others = True
    apple.select_set(True)
    bpy.context.view_layer.objects.active = above
    above.select_set(True)
    run_operator("move_with_plant")
    assert told(fresh, obj) == {"Ball": ["Bone.2", "Bone.3"]}
    assert told(fresh, above) == {"Far Ball": ["Bone.2", "Bone.3", "Apple"], "Apple": ["Bone.3"]}


def drawn(obj):
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_contact.draw_plant(None, layout, obj, obj.plant_dynamics)
    texts = " ".join(layout.texts)
    within = [button.within for name, button in layout.operators if name == "plant_dynamics.select_within"]
    return texts, within


def selected(fresh, obj):
    return [bone.name for bone in of_addon(fresh, "rigging.bone_selection").selected_bones(obj)]


def test_the_panel_tells_it_and_selects_the_bones(fresh, obj, run_operator):
    add_cross(obj, 0.003)
    collide(primitive("uv_sphere", "Ball", radius=0.03, location=(0.15, 0.0, 0.3)))
    obj.plant_dynamics.contact.itself = True
    bpy.context.view_layer.objects.active = obj
    assert drawn(obj)[1] == []
    told(fresh, obj)
    texts, within = drawn(obj)
    assert "Begins within 'Ball' and is left alone until they part: 'Bone.1'" in texts
    assert "Begin within each other and are left alone until they part: 'Bone.3', 'Cross0.1'" in texts
    assert within == ["Ball", "Chain"]
    bpy.data.objects["Ball"].collision.thickness_outer = 0.02
    assert "Begins within 'Ball' or its Outer Thickness of 20 mm and is left alone" in drawn(obj)[0]
    run_operator("select_within", within="Chain")
    assert (bpy.context.object, obj.mode) == (obj, "POSE")
    assert selected(fresh, obj) == ["Bone.3", "Cross0.1"]
    run_operator("select_within", within="Ball")
    assert selected(fresh, obj) == ["Bone.1"]


def test_what_cannot_be_selected_is_said(fresh, obj, run_operator):
    with pytest.raises(RuntimeError, match="a bone begins within 'Nothing'"):
        run_operator("select_within", within="Nothing")
    collide(primitive("uv_sphere", "Ball", radius=0.03, location=(0.15, 0.0, 0.3)))
    told(fresh, obj)
    obj.hide_set(True)
    with pytest.raises(RuntimeError, match="'Chain' is hidden: show it"):
        run_operator("select_within", within="Ball")
