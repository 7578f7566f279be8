# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of many bones at once: by branch level, selection, organ and name; copied in groups; from the sidebar."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.plants import select


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def tree(name: str = "Tree") -> bpy.types.Object:
    """A trunk of four bones, a branch of two from the second one's middle with a twig, and a branch at the top.

    The branch is disconnected, as Sapling Tree Gen draws it; the trunk bends, and a twig goes on straighter there.
    """
    armature = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, armature)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    layout = {
        "trunk.0": (None, (0, 0, 0), (0, 0, 1)),
        "trunk.1": ("trunk.0", (0, 0, 1), (0, 0, 2)),
        "trunk.2": ("trunk.1", (0, 0, 2), (0.6, 0, 2.8)),
        "trunk.3": ("trunk.2", (0.6, 0, 2.8), (0.6, 0, 3.8)),
        "branch.0": ("trunk.1", (0, 0.02, 1.5), (0, 0.1, 2.4)),
        "branch.1": ("branch.0", (0, 0.1, 2.4), (0, 0.3, 3.0)),
        "twig.0": ("branch.0", (0, 0.1, 2.4), (0, 1.0, 2.5)),
        "apart.0": ("trunk.1", (0, -0.3, 2.1), (0, -0.3, 3.0)),
    }
    for bone_name, (parent, head, tail) in layout.items():
        bone = armature.edit_bones.new(bone_name)
        bone.head, bone.tail = head, tail
        bone.head_radius, bone.tail_radius = 0.02, 0.01
        if parent:
            bone.parent = armature.edit_bones[parent]
            bone.use_connect = bone.parent.tail == bone.head
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


LEVELS = {
    "trunk.0": 0, "trunk.1": 0, "trunk.2": 0, "trunk.3": 0, "branch.0": 1, "branch.1": 1, "twig.0": 2, "apart.0": 1,
}  # fmt: skip


def values(obj, name):
    return {bone.name: getattr(bone.plant_dynamics, name) for bone in obj.data.bones}


def test_levels_follow_what_is_joined(fresh):
    """A bone apart and one from the middle go straighter on than the bent trunk, which goes on."""
    levels = module(fresh, "rigging.bone_selection").branch_levels
    assert levels(tree().data.bones) == LEVELS


def test_levels_of_bones_whose_tails_point_elsewhere(fresh):
    """FBX skeletons: every bone points sideways, so that no tail is where the next head is."""
    obj = plants.chain(5)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in obj.data.edit_bones:
        bone.use_connect = False
    for bone in obj.data.edit_bones:
        bone.tail = bone.head + type(bone.head)((0.0, 0.1, 0.0))
    bpy.ops.object.mode_set(mode="OBJECT")
    levels = module(fresh, "rigging.bone_selection").branch_levels(obj.data.bones)
    assert set(levels.values()) == {0}


@pytest.fixture
def plant(fresh, run_operator):
    obj = tree()
    run_operator("make_dynamic")
    return obj


def test_a_range_of_levels_is_set(plant, run_operator):
    run_operator("edit_bones", quantity="YOUNG", operation="SET", value=500.0, by="LEVELS", first=1, last=1)
    expected = {name: 500.0 if level == 1 else 0.0 for name, level in LEVELS.items()}
    assert values(plant, "young_modulus") == expected


def test_what_holds_is_multiplied_and_graded_by_level(plant, run_operator):
    """The plant's density, the envelope's radii; each level above gets half of the one below."""
    run_operator("edit_bones", quantity="DENSITY", operation="MULTIPLY", factor=2.0, by="ALL", grade=0.5)
    density = plant.plant_dynamics.density
    assert values(plant, "density") == {n: pytest.approx(2 * density * 0.5**k) for n, k in LEVELS.items()}
    run_operator("edit_bones", quantity="RADIUS", operation="MULTIPLY", factor=3.0, by="LEVELS", first=1, last=2)
    assert values(plant, "radius_base") == {n: pytest.approx(0.06 if k else 0.0) for n, k in LEVELS.items()}
    assert values(plant, "radius_tip") == {n: pytest.approx(0.03 if k else 0.0) for n, k in LEVELS.items()}


@pytest.mark.parametrize(
    ("quantity", "name", "properties", "expected"),
    [
        ("RADIUS", "radius_tip", {"operation": "SET", "length": 0.05}, 0.05),
        ("STIFFNESS", "stiffness_factor", {"operation": "MULTIPLY", "factor": 0.25}, 0.25),
        ("DAMPING", "damping_factor", {"operation": "SET", "value": 4.0}, 4.0),
        ("DRAG", "drag_factor", {"operation": "SET", "value": 0.0}, 0.0),
        ("BEND", "bend_limit", {"operation": "SET", "angle": 0.4}, 0.4),
        ("TWIST", "twist_limit", {"operation": "SET", "angle": 0.3}, 0.3),
        ("POISSON", "poisson", {"operation": "MULTIPLY", "factor": 0.5}, 0.15),
        ("HOLLOW", "hollow", {"operation": "SET", "value": 2.0}, 0.99),
        ("DAMPING_TIME", "damping_time", {"operation": "MULTIPLY", "factor": 3.0}, 0.15),
        ("BLADE_AREA", "blade_area", {"operation": "SET", "value": 0.2}, 0.2),
        ("BLADE_CUP", "blade_cup", {"operation": "SET", "value": 0.4}, 0.4),
        ("PINNED", "pinned", {"state": True}, True),
        ("SIMULATED", "use_physics", {"state": False}, False),
    ],
)
def test_every_quantity_reaches_the_bones_of_that_name(plant, run_operator, quantity, name, properties, expected):
    before = values(plant, name)
    run_operator("edit_bones", quantity=quantity, by="NAME", pattern="*.[1]", **properties)
    after = values(plant, name)
    assert {n for n in after if after[n] != before[n]} == {"trunk.1", "branch.1"}
    assert after["trunk.1"] == pytest.approx(expected)


def test_by_organ_and_by_selection_of_several_plants(plant, run_operator, select_only):
    other = tree("Other")
    run_operator("make_dynamic")
    for obj in (plant, other):
        obj.data.bones["twig.0"].plant_dynamics.organ = "leaf"
    select_only(other, plant)
    run_operator("edit_bones", quantity="DAMPING", operation="SET", value=3.0, by="ORGAN", organ="leaf")
    for obj in (plant, other):
        assert values(obj, "damping_factor") == {n: 3.0 if n == "twig.0" else 1.0 for n in LEVELS}
    bpy.ops.object.mode_set(mode="POSE")
    select(other, "trunk.0")
    select(plant, "trunk.3")
    run_operator("edit_bones", quantity="DAMPING", operation="SET", value=7.0, by="SELECTED")
    assert [n for n, v in values(other, "damping_factor").items() if v == 7.0] == ["trunk.0"]
    assert [n for n, v in values(plant, "damping_factor").items() if v == 7.0] == ["trunk.3"]


def test_what_cannot_be_is_refused_with_the_bones_name(plant):
    with pytest.raises(RuntimeError, match=r"'trunk\.0': Radius would be 0"):
        bpy.ops.plant_dynamics.edit_bones(quantity="RADIUS", operation="SET", length=0.0, by="ALL")
    with pytest.raises(RuntimeError, match="no such bone"):
        bpy.ops.plant_dynamics.edit_bones(quantity="PINNED", by="NAME", pattern="nothing*")


def test_undo_gives_the_values_back(plant, run_operator):
    bpy.ops.ed.undo_push(message="before")
    run_operator("edit_bones", quantity="PINNED", by="LEVELS", first=1, last=9)
    bpy.ops.ed.undo_push(message="edit")
    assert any(values(bpy.data.objects["Tree"], "pinned").values())
    bpy.ops.ed.undo()
    assert not any(values(bpy.data.objects["Tree"], "pinned").values())


def test_only_the_chosen_groups_are_copied(plant, run_operator):
    bpy.ops.object.mode_set(mode="POSE")
    select(plant, "trunk.0", "trunk.1", "twig.0")
    source = plant.data.bones["trunk.0"]
    plant.data.bones.active = source
    own = source.plant_dynamics
    own.young_modulus, own.radius_base, own.damping_factor, own.pinned, own.drag_factor = 9.0, 0.5, 2.0, True, 3.0
    run_operator("copy_to_selected", groups={"MATERIAL", "DAMPING"})
    for name in LEVELS:
        got = plant.data.bones[name].plant_dynamics
        copied = name in ("trunk.0", "trunk.1", "twig.0")
        assert (got.young_modulus, got.damping_factor) == ((9.0, 2.0) if copied else (0.0, 1.0))
        assert name == "trunk.0" or (got.radius_base, got.pinned, got.drag_factor) == (0.0, False, 1.0)


def test_how_bones_follow_is_copied(plant, run_operator):
    bpy.ops.object.mode_set(mode="POSE")
    select(plant, "trunk.0", "trunk.1", "twig.0")
    plant.data.bones.active = plant.data.bones["trunk.0"]
    own = plant.pose.bones["trunk.0"]
    given = {"follow": 0.25, "recovery": 3.0, "damping_ratio": 0.5, "largest_moment": 2.0}
    for name, value in given.items():
        setattr(own, f"plant_dynamics_{name}", value)
    run_operator("copy_to_selected", groups={"FOLLOW"})
    for bone in LEVELS:
        found = [getattr(plant.pose.bones[bone], f"plant_dynamics_{name}") for name in given]
        assert found == (list(given.values()) if bone in ("trunk.0", "trunk.1", "twig.0") else [1.0, 0.0, 0.0, 0.0])


def test_the_groups_name_every_override(fresh):
    editing = module(fresh, "rigging.bone_editing")
    named = [name for _, names in editing.GROUPS.values() for name in names]
    properties = bpy.types.Bone.bl_rna.properties["plant_dynamics"].fixed_type.properties
    assert sorted(named) == sorted(p.identifier for p in properties if p.identifier not in ("rna_type", "name"))


def test_a_bones_damping_factor_multiplies_its_damping(plant, fresh):
    read = module(fresh, "dynamics.rig.armature_reader").read_armature
    plant.plant_dynamics.damping_time, plant.plant_dynamics.joint_damping = 0.1, 0.002
    plain = read(plant, plant.matrix_world).parts[0]
    plant.data.bones["trunk.2"].plant_dynamics.damping_factor = 5.0
    rods = read(plant, plant.matrix_world)
    factor = np.where(np.array(rods.bones) == "trunk.2", 5.0, 1.0)
    assert rods.parts[0].damping_time == pytest.approx(plain.damping_time * factor)
    assert rods.parts[0].joint_damping == pytest.approx(plain.joint_damping * factor)


def test_the_sidebar_has_the_active_bone_in_pose_mode(plant):
    panel = bpy.types.PLANT_DYNAMICS_PT_active_bone
    plant.data.bones.active = plant.data.bones["branch.1"]
    assert (panel.bl_space_type, panel.bl_region_type, panel.bl_category) == ("VIEW_3D", "UI", "Plant")
    assert not panel.poll(bpy.context)
    bpy.ops.object.mode_set(mode="POSE")
    assert panel.poll(bpy.context)
    shown = []

    class Layout:
        active = use_property_split = use_property_decorate = True

        def prop(self, data, name, **_):
            shown.append((data, name))

        def column(self, **_):
            return self

        def operator_menu_enum(self, *_, **__):
            return self

        def panel(self, *_, **__):
            return self, self

        row = operator = label = operator_menu_enum
        row = column

    panel.draw_plant(None, Layout(), plant, plant.plant_dynamics)
    named = {name for _, name in shown}
    own = plant.data.bones["branch.1"].plant_dynamics
    assert {data for data, _ in shown} == {own}
    assert {"radius_base", "young_modulus", "density", "stiffness_factor", "damping_factor", "bend_limit", "pinned",
            "organ", "use_physics"} <= named  # fmt: skip
