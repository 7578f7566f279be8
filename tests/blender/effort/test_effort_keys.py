# SPDX-License-Identifier: GPL-3.0-or-later
"""Efforts as keyed properties, plots and lines in the panel: written, read, taken away again, given up."""

import csv

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon
from tests.blender.scenes.drawn_panels import Layout
from tests.blender.scenes.effort.animated import key_turn, measured, over, stick
from tests.blender.scenes.slow_work import Pressed

LAST = 12
EFFORT, MOMENT, PEAK = "joint_effort", "joint_moment", "joint_effort_peak"


@pytest.fixture
def obj(fresh):
    """An arm that is waved."""
    over(LAST, 24)
    obj = stick((1.0, 0.0, 0.0), count=3, length=0.2)
    key_turn(obj.pose.bones[1], 0.5 * np.sin(0.8 * np.arange(LAST)))
    plants.show(7)
    return obj


def shown(obj, name):
    """(frames, bones and the object last) what the evaluated properties say, NaN where there is none."""
    rows = []
    for frame in range(1, LAST + 1):
        plants.show(frame)
        now = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        rows.append([one.get(name, np.nan) for one in (*now.pose.bones, now)])
    return np.array(rows)


def paths(obj):
    return {path for path, _ in plants.curves(obj.animation_data.action)}


def test_bones_and_object_have_their_efforts_at_every_frame(obj, run_operator):
    bpy.ops.object.mode_set(mode="POSE")
    own, before = paths(obj), measured(obj)
    run_operator("key_effort")
    assert bpy.context.scene.frame_current == 7
    assert obj.mode == "POSE"
    assert shown(obj, EFFORT)[:, :3] == pytest.approx(before.effort, rel=1e-6)
    assert shown(obj, EFFORT)[:, 3] == pytest.approx(before.effort.max(axis=1), rel=1e-6)
    assert shown(obj, MOMENT)[:, :3] == pytest.approx(before.moment, rel=1e-6)
    peaks = before.effort.max(axis=0)
    assert shown(obj, PEAK) == pytest.approx(np.tile([*peaks, peaks.max()], (LAST, 1)), rel=1e-6)
    assert measured(obj).moments == pytest.approx(before.moments, rel=1e-6), "keys of it change no motion"
    keyed = {f'pose.bones["Bone.{i}"]["{name}"]' for i in range(3) for name in (EFFORT, MOMENT)}
    assert paths(obj) - own == keyed | {f'["{EFFORT}"]'}
    run_operator("clear_effort")
    assert paths(obj) == own
    assert not any(name in one for one in (obj, *obj.pose.bones) for name in (EFFORT, MOMENT, PEAK))


def test_keys_are_replaced_when_the_animation_has_changed(obj, run_operator):
    run_operator("key_effort")
    key_turn(obj.pose.bones[1], np.zeros(LAST))
    run_operator("key_effort")
    assert shown(obj, EFFORT) == pytest.approx(np.ones((LAST, 4)), rel=1e-4)


@pytest.mark.parametrize("name", [EFFORT, MOMENT, PEAK])
def test_properties_of_the_users_own_stay(obj, run_operator, name):
    bone = obj.pose.bones[-1]
    bone[name] = 2.5
    with pytest.raises(RuntimeError, match=f"'Stick: {bone.name}' has a custom property '{name}' of its own"):
        bpy.ops.plant_dynamics.key_effort()
    assert not any(EFFORT in one for one in obj.pose.bones if one != bone)
    del bone[name]
    run_operator("key_effort")
    del bone[name]
    bone[name] = 2.5
    bone.keyframe_insert(f'["{name}"]', frame=3)
    run_operator("clear_effort")
    assert bone[name] == 2.5
    assert f'pose.bones["{bone.name}"]["{name}"]' in paths(obj)


def test_an_action_that_was_made_for_them_goes_again_whatever_else_was_keyed_in_it(fresh, obj, run_operator):
    obj.animation_data_clear()
    for first, second in (("clear_effort", "clear_contact_forces"), ("clear_contact_forces", "clear_effort")):
        run_operator("key_effort")
        of_addon(fresh, "baking.contact_keys").write_contact_keys(obj, {"Bone.1": np.arange(float(LAST))}, 1)
        for name in (first, second):
            assert obj.animation_data.action is not None
            run_operator(name)
        assert obj.animation_data.action is None
    assert [action.name for action in bpy.data.actions if action.users] == []


def test_a_strip_that_is_tweaked_is_left_first(obj):
    data = obj.animation_data
    data.nla_tracks.new().strips.new("Wave", 1, data.action)
    data.action = None
    data.nla_tracks[0].select = data.nla_tracks[0].strips[0].select = True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    with pytest.raises(RuntimeError, match="A strip of 'Stick' is being tweaked in the NLA: leave it"):
        bpy.ops.plant_dynamics.key_effort()


def test_undo_takes_them_away(obj, run_operator):
    bpy.ops.ed.undo_push(message="Before")
    run_operator("key_effort")
    bpy.ops.ed.undo_push(message="Keyed")
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Stick"]
    assert EFFORT not in obj
    assert not any(EFFORT in path for path in paths(obj))


def test_esc_leaves_everything_as_it_was(fresh, obj, monkeypatch):
    own = paths(obj)
    operator = of_addon(fresh, "operators.results.effort").PLANT_DYNAMICS_OT_key_effort
    work = of_addon(fresh, "effort.efforts").measure(bpy.context, obj, LAST)
    pressed = Pressed(operator, work, monkeypatch)
    for _ in range(LAST // 2):
        assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert 0.1 < pressed.progress < 0.9
    assert bpy.context.scene.frame_current == 7, "frames are gone through out of sight"
    assert pressed.gets("ESC") == {"CANCELLED"}
    assert bpy.context.scene.frame_current == 7
    assert paths(obj) == own
    assert EFFORT not in obj


def drawn(obj):
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_effort.draw_plant(None, layout, obj, obj.plant_dynamics)
    return " ".join(layout.texts), [name.partition(".")[2] for name, _ in layout.operators]


def test_the_panel_tells_who_works_hardest_and_what_is_not_counted(obj, run_operator):
    texts, operators = drawn(obj)
    assert texts == ""
    assert "clear_effort" not in operators
    run_operator("measure_effort")
    found, texts = measured(obj), drawn(obj)[0]
    bone, effort, frame, moment = found.hardest(1)[0]
    assert effort == found.effort.max()
    assert moment == found.moment[frame - 1, found.bones.index(bone)]
    assert found.told() in texts
    assert f"'{bone}' works hardest: at frame {frame}, {effort:.3g} times what holds it out level" in texts
    assert texts.count("at frame") == 1 + 3 + 1
    assert f"{bone}: {effort:.3g}, {moment:.3g} N m at frame {frame}" in texts
    at, strongest = np.unravel_index(found.moment.argmax(), found.moment.shape)
    told = f"{found.moment.max():.3g} N m, '{found.bones[strongest]}' at frame {found.first + at}"
    assert f"The largest moment: {told}" in texts
    obj.pose.bones[2].scale.y = 1.5
    run_operator("measure_effort")
    assert "Scaled or stretched, and counted at their drawn size: 'Bone.2'" in drawn(obj)[0]
    run_operator("key_effort")
    assert "clear_effort" in drawn(obj)[1]


def test_a_plot_and_a_table_are_written(obj, run_operator, tmp_path):
    bpy.context.scene.plant_dynamics_compare.folder = str(tmp_path)
    run_operator("plot_effort")
    found = measured(obj)
    with open(tmp_path / "Stick effort.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == LAST * 3
    assert [row["bone"] for row in rows[:3]] == list(found.bones)
    assert [float(row["effort"]) for row in rows] == pytest.approx(found.effort.ravel().tolist(), rel=1e-6)
    assert [float(row["moment_Nm"]) for row in rows] == pytest.approx(found.moment.ravel().tolist(), rel=1e-6)
    axes = [[float(row[f"moment_{axis}_Nm"]) for axis in "xyz"] for row in rows]
    assert np.array(axes) == pytest.approx(found.moments.reshape(-1, 3), rel=1e-6, abs=1e-12)
    assert float(rows[-1]["time_s"]) == pytest.approx((LAST - 1) / 24)
    image = bpy.data.images.load(str(tmp_path / "Stick effort.png"))
    assert tuple(image.size) == (1400, 800)


def test_nothing_to_do_is_told_and_plotted(obj, run_operator, tmp_path):
    bpy.context.scene.plant_dynamics_compare.folder = str(tmp_path)
    bpy.context.scene.use_gravity = False
    obj.animation_data_clear()
    obj.pose.bones[1].rotation_euler.x = 0.0
    assert measured(obj).told() == "No joint has to give a moment in the frames 1 to 12"
    run_operator("plot_effort")
    run_operator("key_effort")
    assert obj.animation_data is None
    assert [bone[EFFORT] for bone in obj.pose.bones] == [0.0, 0.0, 0.0]


def test_from_python(fresh, obj):
    found = of_addon(fresh, "commands").effort(obj, last_frame=6)
    assert found.effort.shape == (6, 3)
    assert found.last == 6
