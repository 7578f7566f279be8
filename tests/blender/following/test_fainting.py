# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures that stop following their keys: they fall limp and lie, and the panel says where they would not."""

import importlib
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.characters.walking_figure import ground, overlaps, walking_figure
from tests.blender.scenes.slow_work import Pressed
from tests.forms import IS_FULL

FAINTS, FALLS, LAST = 24, 30, 96


@pytest.fixture
def figure(fresh, run_operator, select_only):
    """A walking figure above ground, dynamic."""
    rig = walking_figure(LAST)
    ground()
    select_only(rig)
    run_operator("make_dynamic")
    return rig


def faints(rig):
    """Key Follow from 1 to 0, and Let Go."""
    settings = rig.plant_dynamics
    for frame, share in ((FAINTS, 1.0), (FALLS, 0.0)):
        settings.following.share = share
        settings.following.keyframe_insert("share", frame=frame)
    plants.show(FALLS)
    assert bpy.ops.plant_dynamics.let_go_here() == {"FINISHED"}
    plants.show(1)


def cautions(rig):
    """The cautions that a button makes bones limp for."""
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    return [one for one in warnings.rig_warnings(rig) if one.fix is not None and one.fix.kind == "STIFF"]


def shares(rig):
    (curve,) = [one for one in plants.all_curves(rig.animation_data.action) if one.data_path.endswith(".share")]
    return [tuple(key.co) for key in curve.keyframe_points]


def test_where_stiff_springs_would_go_on_walking_one_press_makes_it_fall_limp_and_lie(figure, run_operator):
    faints(figure)
    keys = shares(figure)
    plants.show(FALLS - 6)
    walking = plants.matrices(figure)
    plants.show(1)
    run_operator("play")
    drawn = overlaps(figure)
    (caution,) = cautions(figure)
    (button,) = importlib.import_module(f"{plants.ADDON}.operators.fixes").mending(figure, caution.fix)
    run_operator(button.operator.partition(".")[2])
    assert shares(figure) == keys
    plants.show(FAINTS)
    off = (plants.matrices(figure) - walking)[:, :3, 3]
    assert np.abs(off).max() < 5e-3, "until it faints it walks as keyed, though its toes graze the ground"
    assert not cautions(figure)
    poses = plants.played(figure, range(FAINTS, LAST + 1))
    assert np.abs(poses[-1] - poses[-13])[:, :3, 3].max() < 0.02, "it lies"
    assert poses[-1][:, 2, 3].max() < 0.35
    assert poses[-1][:, 2, 3].min() > 0.02, "on the ground"
    assert (overlaps(figure) - drawn).max() < 0.01


def test_without_it_the_figure_goes_on_walking_on_its_back(figure, run_operator):
    """What the caution is for."""
    faints(figure)
    run_operator("play")
    poses = plants.played(figure, range(1, LAST + 1))
    assert np.abs(poses[-1] - poses[-13])[:, :3, 3].max() > 0.2


def test_a_ragdoll_stands_as_keyed_and_collapses(figure, run_operator, capfd):
    plants.show(1)
    keyed = plants.matrices(figure)
    run_operator("preset_apply", kind="follow", preset="Ragdoll")
    settings = figure.plant_dynamics
    assert (settings.start, settings.contact.itself) == ("drawn", True)
    assert "limp, touch each other and start as drawn" in capfd.readouterr().out
    run_operator("play")
    assert np.abs(plants.matrices(figure) - keyed).max() < 1e-4
    drawn = overlaps(figure)
    poses = plants.played(figure, range(1, 49))
    head = list(figure.data.bones.keys()).index("Head")
    assert poses[-1][head, 2, 3] < keyed[head, 2, 3] - 0.3
    assert (overlaps(figure) - drawn).max() < 0.01


def test_where_it_lies_it_stays_while_it_is_simulated_anew_or_baked(figure, run_operator, fresh, monkeypatch):
    """Its hips' keys would lift it to where it would walk, and those of quaternions turn it."""
    run_operator("preset_apply", kind="follow", preset="Ragdoll")
    faints(figure)
    run_operator("play")
    plants.show(FALLS + 20)
    lies, keyed = plants.matrices(figure), figure.pose.bones["Hips"].plant_dynamics.location
    assert abs(figure.pose.bones["Hips"].location.z - keyed[2]) > 0.1
    walk = importlib.import_module(f"{plants.ADDON}.baking.walk")
    baking = (share for share, _ in walk.simulate_range(bpy.context, [figure], FALLS + 20))
    work = Pressed(SimpleNamespace(doing="Baking", given_up="Nothing is baked"), baking, monkeypatch)
    for _ in range(4):
        work.gets("TIMER")
        assert np.abs(plants.matrices(figure) - lies).max() < 1e-6
    work.gets("ESC")
    assert np.abs(plants.matrices(figure) - lies).max() < 1e-6
    figure.plant_dynamics.young_modulus *= 2.0
    showing = importlib.import_module(f"{plants.ADDON}.dynamics.live.showing")
    at_work = importlib.import_module(f"{plants.ADDON}.dynamics.live.at_work")
    at_work.begin(at_work.end)
    for _ in range(4):
        assert showing.go_on(bpy.context.scene, bpy.context.evaluated_depsgraph_get(), 0.0) < 1.0
        assert np.abs(plants.matrices(figure) - lies).max() < 1e-6
    at_work.interrupt()
    plants.show(FALLS + 20)
    assert np.abs(plants.matrices(figure) - lies).max() > 1e-3, "it lies in another way"
    run_operator("reset")
    plants.show(1)
    assert not figure.pose.bones["Hips"].plant_dynamics.is_moved


def test_only_what_was_shown_to_the_user_and_not_given_back_is_kept(figure, run_operator):
    writer = importlib.import_module(f"{plants.ADDON}.dynamics.rig.pose_writer")
    run_operator("preset_apply", kind="follow", preset="Ragdoll")
    faints(figure)
    run_operator("play")
    plants.show(FALLS + 20)
    lies = plants.matrices(figure)
    session = importlib.import_module(f"{plants.ADDON}.dynamics.motion.sessions").session_of(figure)
    rendered = session.shown_at(FALLS)
    writer.write_against_keys(figure, session.plant.shown_index, rendered.channels, rendered.broken, rendered.led)
    writer.end_against_keys(figure)
    assert np.abs(plants.matrices(figure) - lies).max() > 0.1
    writer.keep_pose(figure)
    assert np.abs(plants.matrices(figure) - lies).max() < 1e-6
    run_operator("reset")
    plants.show(FALLS + 20)
    keyed = plants.matrices(figure)
    writer.keep_pose(figure)
    assert np.array_equal(plants.matrices(figure), keyed)


def test_nothing_is_told_where_bones_are_soft_or_follow_on(figure, run_operator):
    bpy.context.scene.frame_end = LAST if IS_FULL else FALLS + 6
    run_operator("preset_apply", kind="follow", preset="Ragdoll")
    faints(figure)
    run_operator("play")
    assert not cautions(figure)
    run_operator("reset")
    figure.plant_dynamics.young_modulus = 300.0
    run_operator("play")
    assert cautions(figure)
    figure.plant_dynamics.following.keyframe_delete("share", frame=FALLS)
    run_operator("reset")
    plants.show(1)
    run_operator("play")
    assert not cautions(figure)


def test_a_stiff_figure_that_is_let_go_without_following_is_told_of(figure, run_operator):
    figure.plant_dynamics.let_go = True
    run_operator("play")
    assert cautions(figure)
    figure.plant_dynamics.following.share = 1.0
    plants.show(1)
    assert not cautions(figure), "it falls in the pose that it follows, as asked for"


def test_bones_that_are_made_hair_swing_though_the_others_follow(figure, run_operator, capfd):
    settings = figure.plant_dynamics
    settings.following.share = 1.0
    bpy.ops.object.mode_set(mode="POSE")
    for bone in figure.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name in ("Arm.L", "Forearm.L")
    run_operator("preset_apply", kind="plant", preset="Hair", target="SELECTED")
    follow = {bone.name for bone in figure.pose.bones if bone.plant_dynamics_follow == 0.0}
    assert follow == {"Arm.L", "Forearm.L"}
    assert "Their Follow is 0 now" in capfd.readouterr().out
    run_operator("play")
    plants.show(18)
    sessions = importlib.import_module(f"{plants.ADDON}.dynamics.motion.sessions")
    status = importlib.import_module(f"{plants.ADDON}.panels.status")
    told = [text for text, _ in status.notes(sessions.session_of(figure))]
    assert told == ["What follows begins as keyed"]
    swinging = plants.matrices(figure)
    run_operator("reset")
    plants.show(18)
    off = np.linalg.norm((plants.matrices(figure) - swinging)[:, :3, 3], axis=1)
    names = list(figure.data.bones.keys())
    assert off[names.index("Forearm.L")] > 0.02
    assert off[names.index("Forearm.R")] < 2e-3


def test_hair_of_a_figure_that_follows_begins_as_it_is_drawn(figure, run_operator, capfd):
    settings = figure.plant_dynamics
    settings.following.share, settings.start = 1.0, "settled"
    plants.show(1)
    keyed = plants.matrices(figure)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in figure.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name in ("Arm.L", "Forearm.L")
    run_operator("preset_apply", kind="plant", preset="Hair", target="SELECTED")
    assert "Start is 'As Drawn, Held' now" in capfd.readouterr().out
    run_operator("play")
    assert np.abs(plants.matrices(figure) - keyed).max() < 1e-4


def test_limp_bones_are_not_to_hold_the_drawn_shape(figure, run_operator):
    bpy.context.scene.frame_end = LAST if IS_FULL else FALLS + 6
    figure.plant_dynamics.start = "keep_shape"
    faints(figure)
    run_operator("make_limp")
    assert figure.plant_dynamics.start == "settled"
    run_operator("play")


@pytest.mark.parametrize("preset", ["Acting", "Loose", "Stiff"])
def test_what_was_a_ragdoll_does_not_drop_as_it_acts(figure, run_operator, capfd, preset):
    run_operator("preset_apply", kind="follow", preset="Ragdoll")
    plants.show(1)
    keyed = plants.matrices(figure)
    run_operator("preset_apply", kind="follow", preset=preset)
    start, name = ("keep_shape", "As Drawn, Held") if preset == "Loose" else ("settled", "Settled")  # limp as they are
    assert figure.plant_dynamics.start == start
    assert f"Start is '{name}' now" in capfd.readouterr().out
    run_operator("play")
    assert np.abs(plants.matrices(figure) - keyed).max() < 1e-3


def test_a_preset_for_bones_that_follow_nothing_leaves_follow_alone(figure, run_operator, capfd):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in figure.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name in ("Arm.L", "Forearm.L")
    run_operator("preset_apply", kind="plant", preset="Hair", target="SELECTED")
    assert all(bone.plant_dynamics_follow == 1.0 for bone in figure.pose.bones)
    out = capfd.readouterr().out
    assert "Held out level it would hang down by 60 % of its length" in out
    assert "Follow" not in out


def test_a_preset_that_changes_start_says_so_and_whose_chain_sags(figure, run_operator, capfd):
    run_operator("preset_apply", kind="plant", preset="Hair")
    out = capfd.readouterr().out
    assert "Start is 'As Drawn, Held' now" in out
    assert "what sags most of it would hang down by 60 % of its length" in out
    run_operator("preset_apply", kind="plant", preset="Hair")
    assert "Start is" not in capfd.readouterr().out
