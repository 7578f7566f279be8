# SPDX-License-Identifier: GPL-3.0-or-later
"""Every setting of material, damping, limits and accuracy does what its tooltip says."""

import importlib
from dataclasses import fields

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants


@pytest.fixture
def chain(fresh, run_operator):
    """Six horizontal bones of 0.1 m and 8 mm, dynamic."""
    bpy.context.scene.frame_end = 30
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.young_modulus = 2000.0
    return obj


@pytest.fixture
def first_tip(run_operator):
    """Height of the chain's tip at the first frame."""

    def height(obj) -> float:
        run_operator("play")
        plants.show(1)
        z = plants.tip(obj, "Bone.5")[2]
        run_operator("reset")
        return z

    return height


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def solver_of(addon):
    return importlib.import_module(f"{addon.__name__}.solver")


def test_the_panel_offers_all_layouts_and_schemes(chain, fresh):
    solver, settings = solver_of(fresh), chain.plant_dynamics
    properties = settings.bl_rna.properties
    assert {item.identifier for item in properties["layout"].enum_items} == set(solver.LAYOUTS)
    assert properties["layout"].default == settings.layout == solver.DEFAULT_LAYOUT
    assert {item.identifier for item in properties["scheme"].enum_items} == set(solver.SCHEMES)
    assert 0.01 * settings.step_error == pytest.approx(solver.Settings().tolerance)
    assert settings.max_step == pytest.approx(solver.Settings().max_step)
    assert settings.halvings == solver.Settings().halvings
    assert settings.landing_time == pytest.approx(solver.solid("ball", [1.0]).shapes.landing[0])


def test_the_bones_give_all_columns_of_the_rods(chain, fresh):
    """A column of the solver that no property gives, and a row whose solver's name is wrong, would go unnoticed."""
    of_place = {"parent", "head", "frame", "length"}
    elsewhere = {"blade_cup", "landing_time"}  # by Python alone, and by the object
    given = module(fresh, "dynamics.rig.rod_columns").rod_columns(list(chain.data.bones), chain.plant_dynamics, 1.0)
    assert given.keys() | of_place | elsewhere == {field.name for field in fields(solver_of(fresh).Rods) if field.init}


def test_all_layouts_agree_on_a_stiff_chain(chain, first_tip):
    chain.plant_dynamics.segments = 4
    sags = {}
    for item in chain.plant_dynamics.bl_rna.properties["layout"].enum_items:
        chain.plant_dynamics.layout = item.identifier
        sags[item.identifier] = first_tip(chain)
    for layout, sag in sags.items():
        rel = {"base": 0.1, "prbm3r_hall": 0.05}.get(layout, 3e-3)
        assert sag == pytest.approx(sags["gauss2"], rel=rel), layout


def test_segments_and_tip_error_cut_long_bones(fresh, run_operator, first_tip):
    obj = plants.chain(1, length=0.6)
    obj.data.bones[0].name = "Bone.5"
    run_operator("make_dynamic")
    settings = obj.plant_dynamics
    settings.young_modulus, settings.layout = 100.0, "mid"
    coarse = first_tip(obj)
    settings.segments = 32
    exact = first_tip(obj)
    settings.segments, settings.use_tip_error, settings.tip_error = 1, True, 0.1
    asked = first_tip(obj)
    assert abs(coarse - exact) > 0.01
    assert abs(asked - exact) < 0.0015 * 0.6
    reader = module(fresh, "dynamics.rig.armature_reader")
    assert reader.read_armature(obj, obj.matrix_world).model.body_count > 4


def test_bones_with_a_mass_of_their_own_stay_whole(chain, fresh):
    own = chain.data.bones["Bone.2"].plant_dynamics
    own.use_body, own.mass, own.center_of_mass = True, 0.005, (0.0, 0.05, 0.0)
    own.inertia, own.stiffness = (2e-5, 1e-6, 2e-5), (1.0, 1.0, 1.0)
    chain.plant_dynamics.layout, chain.plant_dynamics.segments = "double_root", 3
    model = module(fresh, "dynamics.rig.armature_reader").read_armature(chain, chain.matrix_world).model
    assert model.joint_count.tolist() == [3, 3, 1, 3, 3, 3]


def test_a_hollow_stem_is_lighter_and_sags_as_its_section_says(chain, first_tip):
    solid = first_tip(chain)
    chain.plant_dynamics.hollow = 0.6
    # weight over stiffness: (1 - h^2) / (1 - h^4) = 1 / (1 + h^2)
    assert first_tip(chain) == pytest.approx(solid / 1.36, rel=0.02)
    for bone in chain.data.bones:
        bone.plant_dynamics.hollow = 0.0
    assert first_tip(chain) == pytest.approx(solid, rel=1e-5)


def test_a_flat_stem_bends_to_its_flat_side_and_twists_easily(chain, fresh):
    read = module(fresh, "dynamics.rig.armature_reader").read_armature
    round_one = read(chain, chain.matrix_world).model.bodies
    chain.plant_dynamics.section, chain.plant_dynamics.aspect = "ELLIPTIC", 4.0
    flat = read(chain, chain.matrix_world).model.bodies
    assert flat.stiffness[:, 0] == pytest.approx(round_one.stiffness[:, 0] / 4.0)
    assert flat.stiffness[:, 2] == pytest.approx(round_one.stiffness[:, 2] * 4.0)
    assert flat.mass == pytest.approx(round_one.mass)
    own = chain.data.bones[0].plant_dynamics
    own.section, own.twist_to_bend = "ROUND", 13.0
    model = read(chain, chain.matrix_world).model
    first = model.bodies.stiffness[model.body_rod == 0]
    assert first[:, 0] / first[:, 1] == pytest.approx(13.0)
    assert np.array_equal(model.bodies.stiffness[model.body_rod > 0], flat.stiffness[model.body_rod > 0])


def test_bones_get_a_section_by_edit_bones(chain, run_operator):
    run_operator("edit_bones", quantity="SECTION", section="GROOVED", by="ALL")
    assert {bone.plant_dynamics.section for bone in chain.data.bones} == {"GROOVED"}
    run_operator("edit_bones", quantity="ASPECT", operation="SET", value=3.0, by="ALL")
    assert {bone.plant_dynamics.aspect for bone in chain.data.bones} == {3.0}


def test_grown_bones_have_the_sections_of_the_text(fresh):
    skeleton = importlib.import_module(f"{fresh.__name__}.lsystem").grow(
        "steps: 0\nmaterial leaf section=flat aspect=8 twist=12\n"
        "axiom: F(0.1, 0.004) F(0.1, 0.004) [ +(40) @section(grooved) F(0.1, 0.004) ] ~Leaf(0.1, 0.05)"
    )
    bones = plants.grow_skeleton(skeleton, "Sections").data.bones
    kinds = sorted(bone.plant_dynamics.section for bone in bones)
    assert kinds == ["FLAT", "GROOVED", "PLANT", "PLANT"]
    leaf = next(bone.plant_dynamics for bone in bones if bone.plant_dynamics.section == "FLAT")
    assert (leaf.aspect, leaf.twist_to_bend) == (8.0, 12.0)


def test_material_presets_of_the_plant(chain, fresh, run_operator):
    material = solver_of(fresh).MATERIALS["oak_dry"]
    chain.plant_dynamics.hollow = 0.5
    run_operator("set_material", material="oak_dry")
    settings = chain.plant_dynamics
    assert settings.young_modulus == pytest.approx(material.young / 1e6)
    assert settings.poisson == pytest.approx(material.poisson)
    assert settings.density == pytest.approx(material.density)
    assert settings.hollow == pytest.approx(0.5 if material.hollow is None else material.hollow)
    run_operator("set_material", material="parenchyma")
    assert settings.young_modulus == pytest.approx(4.8)
    assert settings.density == pytest.approx(material.density), "its source says nothing of density"


def test_material_presets_name_values_and_source(fresh):
    operator = bpy.ops.plant_dynamics.set_material.get_rna_type()
    offered = {item.identifier: item for item in operator.properties["material"].enum_items}
    materials = solver_of(fresh).MATERIALS
    for name, item in offered.items():
        assert item.name == materials[name].label
        assert materials[name].source[:40] in item.description
    names = ("young", "poisson", "density", "hollow", "twist_to_bend")
    given = {n for n, m in materials.items() if any(getattr(m, name) is not None for name in names)}
    assert set(offered) == given


def test_material_presets_of_selected_bones(chain, run_operator):
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    with pytest.raises(RuntimeError, match="Select bones in Pose Mode"):
        bpy.ops.plant_dynamics.set_material(material="willow_dry", target="SELECTED")
    in_pose = "select" in bpy.types.PoseBone.bl_rna.properties
    for name in ("Bone.1", "Bone.4"):
        bone = chain.pose.bones[name] if in_pose else chain.data.bones[name]
        bone.select = True
    run_operator("set_material", material="willow_dry", target="SELECTED")
    young = [bone.plant_dynamics.young_modulus for bone in chain.data.bones]
    assert young == pytest.approx([0, 7000, 0, 0, 7000, 0])
    assert chain.plant_dynamics.young_modulus == pytest.approx(2000.0)
    chain.data.bones.active = chain.data.bones["Bone.0"]
    run_operator("set_material", material="willow_dry", target="ACTIVE")
    assert chain.data.bones["Bone.0"].plant_dynamics.density == pytest.approx(437.0)


def test_a_preset_for_a_grown_plant_reaches_its_bones(fresh, run_operator):
    obj = plants.grow("inflorescence")
    assert obj.plant_dynamics.bones_have_materials
    run_operator("set_material", material="branch")
    assert {round(bone.plant_dynamics.young_modulus) for bone in obj.data.bones} == {1800}


def bends(obj, run_operator):
    """(5,) degrees between neighbouring bones at the first frame."""
    run_operator("play")
    plants.show(1)
    along = plants.matrices(obj)[:, :3, 1]
    run_operator("reset")
    return np.degrees(np.arccos(np.clip((along[1:] * along[:-1]).sum(axis=1), -1.0, 1.0)))


def test_bend_limits_hold_the_chain(chain, run_operator):
    settings = chain.plant_dynamics
    settings.young_modulus = 1.0
    free = bends(chain, run_operator)
    settings.use_bend_limit, settings.bend_limit = True, np.radians(8.0)
    held = bends(chain, run_operator)
    assert free.max() > 20.0
    assert (
        6.0 < held.max() < 8.0 + 2 * 1.91
    )  # the weight takes each of a bone's two joints at most 1.91 degrees too far
    for bone in chain.data.bones:
        bone.plant_dynamics.bend_limit = 2.0 * np.pi
    assert bends(chain, run_operator) == pytest.approx(free, abs=0.01), "a bone can be without the plant's limit"
    settings.use_bend_limit = False
    for bone in chain.data.bones:
        bone.plant_dynamics.bend_limit = np.radians(8.0)
    assert bends(chain, run_operator) == pytest.approx(held, abs=0.01), "or have its own"


def test_twist_limits_hold_the_chain(chain, run_operator):
    chain.plant_dynamics.gravity_factor = 0.0
    run_operator("add_twist")
    chain.plant_dynamics.use_twist_limit, chain.plant_dynamics.twist_limit = True, np.radians(5.0)
    run_operator("play")
    plants.show(1)
    turned = plants.matrices(chain)[-1]
    assert np.radians(15.0) < abs(np.arctan2(turned[1, 2], turned[2, 2])) < np.radians(45.0)


def swing(obj, run_operator, frames=range(1, 251)):
    """Heights of the tip after a chain held straight by a force is let go."""
    bpy.context.scene.frame_end = frames[-1]
    bpy.context.scene.plant_dynamics.wind.use_air = False
    obj.plant_dynamics.gravity_factor = 0.0
    run_operator("add_force")
    load = obj.plant_dynamics.loads[0]
    load.force = (0.0, 0.0, 0.02 * load.force[0])
    for frame, influence in ((1, 1.0), (2, 0.0)):
        load.influence = influence
        load.keyframe_insert("influence", frame=frame)
    run_operator("play")
    heights = [plants.tip(obj, "Bone.5")[2] for frame in frames if plants.show(frame) is None]
    run_operator("reset")
    return np.array(heights)


def test_a_damping_ratio_at_the_first_mode(chain, fresh, run_operator):
    settings = chain.plant_dynamics
    settings.young_modulus, settings.max_step = 600.0, 1 / 960
    bpy.context.scene.render.fps = 100
    settings.damping_mode, settings.damping_ratio = "RATIO", 4.0
    heights = swing(chain, run_operator)[2:]
    peaks = [h for a, h, b in zip(heights, heights[1:], heights[2:], strict=False) if h > a and h >= b and h > 0]
    decay = np.log(peaks[0] / peaks[-1]) / (len(peaks) - 1)
    assert len(peaks) > 4
    assert decay / (2 * np.pi) == pytest.approx(0.04, rel=0.05)
    run_operator("play")
    session = module(fresh, "dynamics.motion.sessions").session_of(chain)
    length, radius = 0.6, 0.004
    hertz = 3.5160 / (2 * np.pi * length**2) * np.sqrt(600e6 * radius**2 / 4 / settings.density)
    assert session.known.first_mode == pytest.approx(hertz, rel=0.01)


def test_damping_modes_take_one_number_each(chain, fresh):
    reader = module(fresh, "dynamics.rig.armature_reader")
    settings = chain.plant_dynamics
    settings.damping_time, settings.joint_damping, settings.damping_factor = 0.1, 0.002, 2.0
    settings.damping_mode = "CONSTANT"
    model = reader.read_armature(chain, chain.matrix_world).model
    assert np.all(model.bodies.damping_time == 0.0)
    # Two joints in series, each with half of the bone's compliance.
    assert model.bodies.damping == pytest.approx(np.full(12, 2 * 0.004))
    settings.damping_mode = "TIME"
    chain.data.bones["Bone.0"].plant_dynamics.damping_time = 0.3
    model = reader.read_armature(chain, chain.matrix_world).model
    assert model.bodies.damping_time == pytest.approx([0.6] * 2 + [0.2] * 10)


def test_measured_frequencies_are_told_until_the_plant_changes(chain, fresh, run_operator):
    frequencies = module(fresh, "dynamics.measure.frequencies")
    settings = chain.plant_dynamics
    settings.gravity_factor, settings.damping_mode, settings.damping_ratio = 0.0, "RATIO", 7.0
    run_operator("measure_frequencies")
    found = frequencies.measured(chain)
    hertz = 3.5160 / (2 * np.pi * 0.6**2) * np.sqrt(2e9 * 0.004**2 / 4 / settings.density)
    assert found.hertz[:2] == pytest.approx([hertz, hertz], rel=0.01)
    assert len(found.hertz) == 3
    assert found.ratio == pytest.approx(0.07, rel=1e-6)
    settings.density = 500.0
    assert frequencies.measured(chain) is None


def test_step_settings_reach_the_solver(chain, fresh, run_operator):
    settings = chain.plant_dynamics
    settings.step_error, settings.halvings, settings.scheme, settings.max_step = 1.0, 3, "backward_euler", 0.01
    settings.landing_time = 5e-4
    run_operator("play")
    session = module(fresh, "dynamics.motion.sessions").session_of(chain)
    used = session.manner.solver
    assert session.plant.parts[0].array("landing_time") == pytest.approx(5e-4)
    assert used.tolerance == pytest.approx(0.01)
    assert (used.halvings, used.scheme) == (3, "backward_euler")


def test_frames_that_are_often_less_exact_are_told(chain, fresh, run_operator):
    settings, notes = chain.plant_dynamics, module(fresh, "panels.status").notes
    settings.start, settings.step_error, settings.halvings = "drawn", 1e-6, 0
    run_operator("play")
    plants.played(chain, range(1, 25))
    (text,) = [text for text, _ in notes(module(fresh, "dynamics.motion.sessions").session_of(chain))]
    assert "% of frames less exact" in text
    settings.step_error, settings.halvings = 1.0, 8
    plants.played(chain, range(1, 25))
    assert notes(module(fresh, "dynamics.motion.sessions").session_of(chain)) == []


def test_the_first_frame_that_was_slowed_down_is_told(chain, fresh, run_operator, monkeypatch):
    solver = solver_of(fresh)
    advance, statuses = solver.Simulation.advance, {3: solver.COARSE, 6: solver.LIMITED, 9: solver.LIMITED}

    def advanced(self, sample, duration):
        report = advance(self, sample, duration)
        return report._replace(status=statuses.get(round(self.time / duration), report.status))

    monkeypatch.setattr(solver.Simulation, "advance", advanced)
    chain.plant_dynamics.start = "drawn"
    run_operator("play")
    plants.played(chain, range(1, 13))
    session = module(fresh, "dynamics.motion.sessions").session_of(chain)
    assert module(fresh, "panels.status").notes(session) == [("Frame 7: too fast or too crowded, slowed down", "ERROR")]
