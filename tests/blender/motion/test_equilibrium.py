# SPDX-License-Identifier: GPL-3.0-or-later
"""Statics on request, what the panel says about the start, and undo of what the panel sets."""

import importlib
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants


@pytest.fixture
def chain(fresh, run_operator):
    """A horizontal chain that hangs down clearly."""
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.young_modulus = 200.0
    return obj


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def started(obj, run_operator):
    """Pose of the settled start."""
    run_operator("play")
    plants.show(1)
    pose = plants.matrices(obj)
    run_operator("reset")
    return pose


def test_settled_poses_the_plant_as_it_starts(chain, run_operator):
    expected = started(chain, run_operator)
    run_operator("pose_at_rest", method="SETTLED")
    assert not chain.plant_dynamics.live
    assert np.abs(plants.matrices(chain) - expected).max() < 1e-5
    run_operator("play")
    plants.show(1)
    assert np.abs(plants.matrices(chain) - expected).max() < 1e-5
    run_operator("reset")
    assert np.abs(plants.matrices(chain) - expected).max() < 1e-5, "Reset gives the pose back"


@pytest.mark.parametrize(
    ("element", "segments", "close"), [("3R", 2, 3e-3), ("3R corrected", 2, 5e-4), ("1R", 16, 2e-2)]
)
def test_halls_method_poses_the_plant_where_it_settles(chain, run_operator, element, segments, close):
    chain.rotation_euler = (0.0, -0.3, 0.5)
    run_operator("add_force")
    chain.plant_dynamics.loads[0].bone = "Bone.3"
    chain.plant_dynamics.loads[0].force = (0.0, 0.05, 0.02)
    bpy.context.view_layer.update()
    chain.plant_dynamics.segments = 4
    expected = started(chain, run_operator)
    for form in ("fast", "direct"):
        run_operator("pose_at_rest", method="HALL", element=element, form=form, segments=segments, increments=3)
        bpy.context.view_layer.update()
        assert np.abs(plants.matrices(chain)[:, :3, 3] - expected[:, :3, 3]).max() < close


def test_halls_method_reports_iterations_and_residual(chain, fresh):
    equilibrium, result_of = module(fresh, "dynamics.measure.equilibrium"), module(fresh, "blender.meanwhile").result_of
    context = bpy.context
    found = result_of(
        equilibrium.by_hall(chain, context.scene, context.evaluated_depsgraph_get(), element="3R", segments=2)
    )
    assert found.is_balanced
    assert found.iterations > 1
    assert "rad" in found.residual
    given_up = result_of(equilibrium.by_hall(chain, context.scene, context.evaluated_depsgraph_get(), iterations=1))
    assert "did not converge" in given_up.warning


def test_a_wilted_plant_rests_as_hall_says(chain, run_operator):
    chain.plant_dynamics.stiffness_factor = 0.5
    chain.plant_dynamics.segments = 4
    expected = started(chain, run_operator)
    run_operator("pose_at_rest", method="HALL", element="3R corrected", segments=4)
    bpy.context.view_layer.update()
    assert np.abs(plants.matrices(chain)[:, :3, 3] - expected[:, :3, 3]).max() < 1e-3


def test_bones_with_euler_angles_are_posed_too(chain, run_operator):
    expected = started(chain, run_operator)
    chain.pose.bones["Bone.1"].rotation_mode = "ZYX"
    chain.pose.bones["Bone.2"].rotation_mode = "AXIS_ANGLE"
    run_operator("pose_at_rest")
    bpy.context.view_layer.update()
    assert np.abs(plants.matrices(chain) - expected).max() < 1e-5
    assert chain.pose.bones["Bone.1"].rotation_mode == "ZYX"


def test_a_playing_or_baked_plant_is_not_posed(chain, run_operator):
    bpy.context.scene.frame_end = 5
    run_operator("play")
    assert not bpy.ops.plant_dynamics.pose_at_rest.poll()
    run_operator("bake")
    assert not bpy.ops.plant_dynamics.pose_at_rest.poll()
    run_operator("clear_bake")
    assert bpy.ops.plant_dynamics.pose_at_rest.poll()


def notes(fresh, obj):
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    return [text for text, _ in module(fresh, "panels.status").notes(session)]


def test_the_panel_tells_how_the_start_went(chain, fresh, run_operator):
    run_operator("play")
    assert "At rest at the start" in notes(fresh, chain)
    run_operator("reset")
    run_operator("wind_preset", preset="STORM")
    run_operator("play")
    assert "Begins at rest where wind holds it" in notes(fresh, chain)
    run_operator("reset")
    chain.plant_dynamics.start = "keep_shape"
    run_operator("play")
    assert "Its shape is held at the start" in notes(fresh, chain)
    run_operator("reset")
    chain.plant_dynamics.start = "drawn"
    run_operator("play")
    assert notes(fresh, chain) == []


def test_the_panel_tells_that_a_plant_toppled(chain, fresh, run_operator):
    chain.rotation_euler = (0.0, -np.pi / 2, 0.0)
    chain.plant_dynamics.young_modulus = 2.0
    bpy.context.view_layer.update()
    run_operator("play")
    assert "Toppled or bent over: other equilibria are likely" in notes(fresh, chain)


#: Start, residual, stable, fell; what the panel says of it.
STARTS = [
    ("settled", 1e-10, True, False, ["At rest at the start"]),
    ("settled", 1e-2, True, False, []),  # which stands above all panels
    ("settled", 1e-6, False, False, ["Not quite settled at the start"]),  # in a wind field without a pose to stay in
    ("settled", 1e-2, False, False, []),
    ("settled", 1e-10, True, True, ["At rest at the start", "Toppled or bent over: other equilibria are likely"]),
    ("keep_shape", 1e-9, True, False, ["Its shape is held at the start"]),
    ("keep_shape", 1e-9, False, True, ["Not stable: a touch topples it"]),
    ("keep_shape", 1e-2, False, True, []),
]


@pytest.mark.parametrize(("start", "residual", "stable", "fell", "expected"), STARTS)
def test_the_panels_lines_do_not_contradict_each_other(fresh, start, residual, stable, fell, expected):
    found = SimpleNamespace(residual=residual, balanced=residual <= 1e-6, stable=stable, fell=fell, sways=False)
    known = SimpleNamespace(coarse_share=lambda: 0.0, equilibrium=found)
    manner, none = SimpleNamespace(start=start), lambda: None
    recording = SimpleNamespace(worlds=[SimpleNamespace(wind=(0.0, 0.0, 0.0), follow=None, guides=())])
    course = SimpleNamespace(sessions=[SimpleNamespace(known=SimpleNamespace(frames=()))])
    session = SimpleNamespace(
        first_slowed=none, first_crowded=none, known=known, manner=manner, recording=recording, course=course,
    )  # fmt: skip
    assert [text for text, _ in module(fresh, "panels.status").notes(session)] == expected


def test_undo_and_redo_of_presets_and_poses(chain, run_operator):
    before = plants.matrices(chain)
    bpy.ops.ed.undo_push(message="before")
    run_operator("wind_preset", preset="STORM")
    run_operator("set_material", material="branch")
    run_operator("pose_at_rest")
    bpy.context.view_layer.update()
    posed = plants.matrices(bpy.data.objects["Chain"])
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    obj, wind = bpy.data.objects["Chain"], bpy.context.scene.plant_dynamics.wind
    bpy.context.view_layer.update()
    assert wind.source == "STILL"
    assert obj.plant_dynamics.young_modulus == pytest.approx(200.0)
    assert np.abs(plants.matrices(obj) - before).max() < 1e-6
    bpy.ops.ed.redo()
    bpy.context.view_layer.update()
    assert bpy.context.scene.plant_dynamics.wind.source == "GUSTS"
    assert np.abs(plants.matrices(bpy.data.objects["Chain"]) - posed).max() < 1e-6


def test_undo_of_the_wind_while_live_gives_the_former_motion(chain, run_operator):
    bpy.context.scene.frame_end = 20
    run_operator("play")
    calm = plants.played(chain, range(1, 21))
    bpy.ops.ed.undo_push(message="playing")
    run_operator("wind_preset", preset="STORM")
    bpy.ops.ed.undo_push(message="storm")
    windy = plants.played(chain, range(1, 21))
    assert np.abs(windy - calm).max() > 1e-3
    bpy.ops.ed.undo()
    assert np.array_equal(plants.played(bpy.data.objects["Chain"], range(1, 21)), calm)
