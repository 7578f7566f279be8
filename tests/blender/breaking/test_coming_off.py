# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that come off while a plant is played: where they are shown, in whatever order, and that all is as before."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.breaking.coming_off import LAST, farthest, key_cut, key_let_go, module
from tests.blender.scenes.busy_plant import Counter

FRAMES = range(1, LAST + 1)


def live(addon, obj):
    return module(addon, "dynamics.live.live")


def broken_at(addon, obj, frame):
    session = module(addon, "dynamics.motion.sessions").session_of(obj)
    found = session.broken_at(frame)
    return {} if found is None else {n: s for n, s in zip(session.plant.names, found.state.tolist(), strict=True) if s}


def test_what_is_cut_is_shown_where_the_solver_has_it(fresh, cut, run_operator):
    run_operator("play")
    for frame in FRAMES:
        plants.show(frame)
        assert farthest(fresh, cut, frame) < 2e-6
    assert broken_at(fresh, cut, 5) == {}
    assert broken_at(fresh, cut, 6) == {"Bone.2": 2}
    assert cut.pose.bones["Bone.2"].location.length > 0.5
    assert all(cut.pose.bones[name].location.length == 0.0 for name in ("Bone.0", "Bone.1", "Bone.3", "Bone.4"))


@pytest.mark.parametrize("layout", ["gauss2", "mid", "double_root", "base", "prbm3r"])
def test_it_begins_where_it_was(fresh, cut, run_operator, layout):
    """Nothing jumps at the cut: the frame before, the bone was where its parent bore it."""
    cut.plant_dynamics.layout = layout
    run_operator("play")
    heads = [plants.played(cut, range(frame, frame + 1))[0][2, :3, 3] for frame in (4, 5, 6)]
    assert np.abs(heads[2] - heads[1]).max() < 0.01  # of bones 0.15 m long
    assert farthest(fresh, cut, 6) < 2e-6


def test_on_a_carrying_bone(fresh, cut, run_operator):
    cut.data.bones["Bone.0"].plant_dynamics.use_physics = False
    bone = cut.pose.bones["Bone.0"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (10, 0.5)):
        bone.rotation_euler.z = angle
        bone.keyframe_insert("rotation_euler", frame=frame)
    run_operator("play")
    for frame in (7, LAST):
        plants.show(frame)
        session = module(fresh, "dynamics.motion.sessions").session_of(cut)
        heads = session.brought_to(frame - 1).rod_heads()
        assert np.abs(plants.matrices(cut)[2, :3, 3] - heads[session.plant.bones.index("Bone.2")]).max() < 2e-6


def test_it_is_the_same_whatever_frames_are_shown(fresh, cut, run_operator):
    run_operator("play")
    forth = plants.played(cut, FRAMES)
    live(fresh, cut).stop_live(cut)
    run_operator("play")
    for frame in (12, 3, LAST, 6, 5, 15):
        plants.show(frame)
        assert (plants.matrices(cut) == forth[frame - 1]).all(), frame


def test_between_frames_it_goes_straight(fresh, cut, run_operator):
    run_operator("play")
    locations = []
    for frame, share in ((9, 0.0), (9, 0.25), (10, 0.0)):
        bpy.context.scene.frame_set(frame, subframe=share)
        locations.append(np.array(cut.pose.bones["Bone.2"].location))
    assert locations[1] == pytest.approx(0.75 * locations[0] + 0.25 * locations[2], abs=1e-6)


def test_stopped_all_bones_are_where_they_were(fresh, cut, run_operator):
    cut.pose.bones["Bone.2"].location = (0.01, 0.02, 0.03)
    cut.pose.bones["Bone.3"].location = (0.0, 0.02, 0.0)
    before = [tuple(bone.location) for bone in cut.pose.bones]
    run_operator("play")
    plants.show(LAST)
    assert tuple(cut.pose.bones["Bone.2"].location) != before[2]
    live(fresh, cut).stop_live(cut)
    assert [tuple(bone.location) for bone in cut.pose.bones] == before


def test_undo_and_stop_give_the_bones_back(fresh, cut, run_operator):
    name = cut.name
    before = [tuple(bone.location) for bone in cut.pose.bones]
    bpy.ops.ed.undo_push(message="Before")
    run_operator("play")
    plants.show(LAST)
    bpy.ops.ed.undo_push(message="Played")
    bpy.data.objects.new("Unrelated", None)
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    obj = bpy.data.objects[name]
    live(fresh, obj).stop_live(obj)
    assert [tuple(bone.location) for bone in obj.pose.bones] == before


def test_a_plant_that_is_let_go_falls(fresh, cut, run_operator):
    """Its heads fall as far as free fall takes them: at frame 6 it begins, for its own weight bent it before."""
    cut.animation_data_clear()
    for bone in cut.pose.bones:
        bone.plant_dynamics_cut = False
    cut.plant_dynamics.start = "keep_shape"
    key_let_go(cut, 6)
    run_operator("play")
    poses = plants.played(cut, FRAMES)
    fallen = (poses[5, :, 2, 3] - poses[-1, :, 2, 3]).mean()
    seconds = (LAST - 6) / 24.0
    assert np.abs(poses[:5] - poses[0]).max() < 1e-5
    assert fallen == pytest.approx(0.5 * 9.81 * seconds**2, rel=0.1)


def test_what_is_too_weak_breaks_and_hangs_on_by_its_fibres(fresh, cut, run_operator):
    cut.animation_data_clear()
    cut.pose.bones["Bone.2"].plant_dynamics_cut = False
    cut.plant_dynamics.breaks, cut.plant_dynamics.start = True, "drawn"
    cut.data.bones["Bone.3"].plant_dynamics.strength = 1e-3
    run_operator("play")
    plants.show(LAST)
    assert broken_at(fresh, cut, LAST) == {"Bone.3": 2}
    assert cut.pose.bones["Bone.3"].location.length > 0.01
    cut.plant_dynamics.fibres = 0.2
    plants.show(LAST - 1)
    plants.show(LAST)
    assert broken_at(fresh, cut, LAST) == {"Bone.3": 1}
    assert cut.pose.bones["Bone.3"].location.length == 0.0


def test_a_new_cut_is_another_motion_from_then_on(fresh, cut, run_operator):
    run_operator("play")
    before = plants.played(cut, FRAMES)
    key_cut(cut, "Bone.4", 15)
    plants.show(1)
    after = plants.played(cut, FRAMES)
    assert (after[:14] == before[:14]).all()
    assert np.abs(after[-1] - before[-1]).max() > 1e-3
    assert broken_at(fresh, cut, LAST) == {"Bone.2": 2, "Bone.4": 2}


def test_two_plants_side_by_side_break_as_each_alone(fresh, cut, run_operator, select_only):
    run_operator("play")
    alone = plants.played(cut, FRAMES)
    live(fresh, cut).stop_live(cut)
    other = cut.copy()
    other.data, other.name = cut.data.copy(), "Other"
    bpy.context.scene.collection.objects.link(other)
    other.animation_data_clear()
    for obj in (cut, other):
        select_only(obj)
        run_operator("play")
    assert (plants.played(cut, FRAMES) == alone).all()


def test_the_cache_on_disk_knows_it(fresh, cut, run_operator, tmp_path, monkeypatch):
    cut.plant_dynamics.use_disk_cache = True
    run_operator("play")
    forth, name = plants.played(cut, FRAMES), cut.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cut.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cut.blend"))
    obj = bpy.data.objects[name]
    cached = module(fresh, "dynamics.cache.disk_cache")
    assert cached.rendered(obj, 5)[1].broken is None
    assert cached.rendered(obj, LAST)[1].broken.state.tolist() == [0, 0, 2, 0, 0]
    counter = Counter(fresh, monkeypatch)
    for frame in (12, 3, LAST):
        plants.show(frame)
        assert (plants.matrices(obj) == forth[frame - 1]).all(), frame
    assert counter.take() == (0, 0)
    live(fresh, obj).stop_live(obj)
    assert all(bone.location.length == 0.0 for bone in obj.pose.bones)
