# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that say nothing of their thickness are as thick as the skin about them, and what leads bones is no bone of the
body."""

from math import cos, pi, sin, tau

import numpy as np
import pytest

from tests.blender.scenes import plants

SIDES = 24
#: A polygon's corners lie on the circle and the middles of its sides a little inside.
ROUND = (cos(pi / SIDES), 1.0)


def tube(obj, radius, name="Skin", of=None, rings=9):
    """A mesh about the chain's level bones, radius(x) m thick there, each ring of vertices moved by its bone."""
    import bpy

    bones = [obj.data.bones[one] for one in of] if of else list(obj.data.bones)
    corners, faces = [], []
    for bone in bones:
        first, foot, way = len(corners), bone.head_local, bone.tail_local - bone.head_local
        for k in range(rings):
            centre = foot + way * (k + 0.5) / rings
            corners += [
                (centre.x, radius(centre.x) * cos(tau * i / SIDES), radius(centre.x) * sin(tau * i / SIDES))
                for i in range(SIDES)
            ]
        for k in range(first, len(corners) - SIDES, SIDES):
            faces += [(k + i, k + (i + 1) % SIDES, k + SIDES + (i + 1) % SIDES, k + SIDES + i) for i in range(SIDES)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    skin = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(skin)
    for bone in bones:
        skin.vertex_groups.new(name=bone.name)
    for k, bone in enumerate(bones):
        each = range(k * rings * SIDES, (k + 1) * rings * SIDES)
        for name, weight in ((bones[k - 1].name, 0.3), (bone.name, 0.7)):  # neighbours have a share
            skin.vertex_groups[name].add(list(each), weight, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    return skin


def figure(count=3, length=0.4, name="Figure"):
    """Bones with the envelopes that Blender gives to new ones."""
    obj = plants.chain(count, length=length, name=name)
    for bone in obj.data.bones:
        bone.head_radius, bone.tail_radius = 0.1, 0.05
    return obj


def own(obj):
    return np.array([(bone.plant_dynamics.radius_base, bone.plant_dynamics.radius_tip) for bone in obj.data.bones])


def test_a_tube_gives_its_radii(fresh, run_operator, capfd):
    obj = figure()
    tube(obj, lambda x: 0.1 - 0.05 * x)
    run_operator("make_dynamic")
    for (base, tip), bone in zip(own(obj), obj.data.bones, strict=True):
        for radius, share in ((base, 0.25), (tip, 0.75)):
            here = 0.1 - 0.05 * (bone.head_local.x + share * bone.length)
            assert ROUND[0] * here - 0.003 < radius < here + 0.003
    said = capfd.readouterr().out
    assert "skin" in said
    assert "Young's: 300 MPa" in said


def test_where_the_object_is_large_and_turned_the_skin_is_too(fresh, run_operator):
    import bpy

    obj = figure()
    skin = tube(obj, lambda x: 0.06)
    for one in (obj, skin):
        one.scale, one.rotation_euler, one.location = (2.0, 2.0, 2.0), (0.3, 0.2, 0.1), (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    run_operator("make_dynamic")
    assert (own(obj) > ROUND[0] * 0.06 - 1e-5).all()
    assert (own(obj) < 0.06 + 1e-5).all()


def test_clothes_and_leaves_about_it_do_not_count(fresh, run_operator):
    obj = figure()
    tube(obj, lambda x: 0.3, name="Coat")
    tube(obj, lambda x: 0.05)
    run_operator("make_dynamic")
    assert (own(obj) < 0.0501).all()


def small_part(obj, places, name="Part"):
    """A mesh of squares of 5 mm about these places, moved by the chain's first bone alone."""
    import bpy

    corners, faces = [], []
    for x, y, z in places:
        first = len(corners)
        corners += [(x + dx, y + dy, z) for dx, dy in ((-2.5e-3, -2.5e-3), (2.5e-3, -2.5e-3), (2.5e-3, 2.5e-3),
                                                       (-2.5e-3, 2.5e-3))]  # fmt: skip
        faces.append(tuple(range(first, first + 4)))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    part = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(part)
    part.vertex_groups.new(name="Bone.0").add(list(range(len(corners))), 1.0, "REPLACE")
    part.modifiers.new("Armature", "ARMATURE").object = obj
    return part


#: Along the chain's first bone, which lies on the X axis from 0 to 0.4 m.
PARTS = {
    "eyes": [(0.25, 0.02, 0.03), (0.25, -0.02, 0.03), (0.26, 0.02, 0.03), (0.26, -0.02, 0.03)],
    "teeth": [(0.1 + 0.04 * s, 0.05 * cos(a), 0.05 * sin(a)) for a in np.linspace(0.5, 2.6, 12) for s in (0, 1)],
    "buttons": [(x, 0.0, 0.06) for x in np.linspace(0.02, 0.38, 9)],
    "earrings": [(x, side * 0.07, 0.0) for x in (0.2, 0.22, 0.24) for side in (-1, 1)],
    "a ring": [(0.35, 0.04 * cos(a), 0.04 * sin(a)) for a in np.linspace(0.0, tau, 16)],
}


@pytest.mark.parametrize("places", PARTS.values(), ids=PARTS)
def test_what_does_not_go_around_a_bone_and_along_it_does_not_count(fresh, run_operator, places):
    obj = figure()
    tube(obj, lambda x: 0.1)
    run_operator("make_dynamic")
    alone = own(obj)
    small_part(obj, places)
    run_operator("skin_radii")
    assert (own(obj) == alone).all()
    assert (alone > 0.099 * ROUND[0]).all()


def test_a_flat_skin_is_half_as_thick_as_wide(fresh, run_operator):
    """As cards of hair, which have nothing else about their bones."""
    obj = figure()
    small_part(obj, [(x, side * 0.03, 0.0) for x in np.linspace(0.02, 0.38, 10) for side in (-1, 1)])
    run_operator("make_dynamic")
    assert own(obj)[0] == pytest.approx((0.03, 0.03), abs=1e-3)


def test_a_bone_without_skin_goes_on_as_thick_as_what_bears_it(fresh, run_operator):
    obj = figure()
    tube(obj, lambda x: 0.05, of=["Bone.0", "Bone.1"])
    run_operator("make_dynamic")
    assert own(obj)[2] == pytest.approx(own(obj)[1, 1])


def test_what_the_user_has_said_stays(fresh, run_operator):
    obj = figure()
    tube(obj, lambda x: 0.05)
    obj.plant_dynamics.radius_source = "FIXED"
    obj.plant_dynamics.radius = 0.02
    run_operator("make_dynamic")
    assert (own(obj) == 0.0).all()
    run_operator("skin_radii")
    assert (own(obj) > 0.049).all()


def test_a_bone_with_envelopes_keeps_them_and_without_skin_there_is_nothing_to_take(fresh, run_operator):
    obj = figure()
    obj.data.bones[1].head_radius = 0.033
    tube(obj, lambda x: 0.05)
    run_operator("make_dynamic")
    assert (own(obj) == 0.0).all()
    assert obj.plant_dynamics.radius_source == "ENVELOPE"
    figure(name="Bare")
    run_operator("make_dynamic")
    with pytest.raises(RuntimeError, match="'Bare' deforms no mesh"):
        run_operator("skin_radii")


def controlled():
    """A figure whose last bone is drawn to a bone that moves no vertex, and has a foot that deforms nothing."""
    import bpy

    obj = figure()
    bpy.ops.object.mode_set(mode="EDIT")
    for name, at, deforms in (("target", 1.0, True), ("master", -0.5, False), ("loose", 2.0, True)):
        bone = obj.data.edit_bones.new(name)
        bone.head, bone.tail, bone.use_deform = (0.0, 1.0, at), (0.0, 1.0, at + 0.2), deforms
    bpy.ops.object.mode_set(mode="OBJECT")
    last = obj.pose.bones["Bone.2"].constraints.new("DAMPED_TRACK")
    last.target, last.subtarget = obj, "target"
    return obj


def simulated(obj):
    return {bone.name for bone in obj.data.bones if bone.plant_dynamics.use_physics}


def test_controls_move_as_they_are_animated(fresh, run_operator, capfd):
    """A target of constraints and what deforms nothing; a bone of which nothing is known is simulated."""
    obj = controlled()
    tube(obj, lambda x: 0.05, of=["Bone.0", "Bone.1", "Bone.2"])
    run_operator("make_dynamic")
    assert simulated(obj) == {"Bone.0", "Bone.1", "Bone.2", "loose"}
    assert "as animated: 2" in capfd.readouterr().out


def test_without_a_skin_most_and_where_it_is_asked_for_all_are_simulated(fresh, run_operator):
    obj = controlled()
    run_operator("make_dynamic")
    assert len(simulated(obj)) == 5  # but for what deforms nothing
    run_operator("remove_dynamics")
    tube(obj, lambda x: 0.05, of=["Bone.0", "Bone.1", "Bone.2"])
    run_operator("make_dynamic", bones="ALL")
    assert len(simulated(obj)) == 6
