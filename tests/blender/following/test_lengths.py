# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys on location and scale of simulated bones are followed: as Blender shows them, in Play, scrubbed and baked."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module

FRAMES = range(1, 31)
BONES = 5


def disconnect(obj, *names: str) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    for name in names:
        obj.data.edit_bones[name].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")


def inherit(obj, how: str) -> None:
    for bone in obj.data.bones:
        bone.inherit_scale = how


def key_bone(obj, name: str, channel: str, keys: dict[int, tuple]) -> None:
    pose = obj.pose.bones[name]
    for frame, values in keys.items():
        setattr(pose, channel, values)
        pose.keyframe_insert(channel, frame=frame)


def moved(obj):
    disconnect(obj, "Bone.2")
    key_bone(obj, "Bone.2", "location", {1: (0, 0, 0), 10: (0.03, 0.05, -0.02), 20: (-0.04, 0.01, 0.03), 30: (0, 0, 0)})


def longer(obj):
    inherit(obj, "ALIGNED")
    key_bone(obj, "Bone.1", "scale", {1: (1, 1, 1), 12: (0.8, 1.6, 0.8), 25: (1.1, 0.7, 1.2)})
    key_bone(obj, "Bone.3", "scale", {1: (1, 1, 1), 15: (1, 1.4, 1)})


def larger(obj):
    """Evenly, with all that it carries."""
    key_bone(obj, "Bone.1", "scale", {1: (1.0,) * 3, 12: (1.5,) * 3, 25: (0.8,) * 3})


def average(obj):
    inherit(obj, "AVERAGE")
    key_bone(obj, "Bone.1", "scale", {1: (1, 1, 1), 12: (1, 2.0, 1), 25: (1, 0.7, 1)})


def longer_and_moved(obj):
    disconnect(obj, "Bone.2", "Bone.4")
    inherit(obj, "NONE")
    key_bone(obj, "Bone.1", "scale", {1: (1, 1, 1), 12: (0.9, 1.5, 0.8), 25: (1.1, 0.7, 1.2)})
    key_bone(obj, "Bone.2", "location", {1: (0, 0, 0), 10: (0.03, 0.05, -0.02), 20: (-0.04, 0.01, 0.03)})
    key_bone(obj, "Bone.2", "rotation_quaternion", {1: (1, 0, 0, 0), 15: (0.95, 0.3, 0.1, 0.0)})


def driven(obj):
    inherit(obj, "ALIGNED")
    curve = obj.pose.bones["Bone.2"].driver_add("scale", 1)
    curve.driver.expression = "1 + 0.4 * sin(frame / 5)"


def in_the_nla(obj):
    longer(obj)
    data = obj.animation_data
    track = data.nla_tracks.new()
    track.strips.new("Strip", 1, data.action)
    data.action = None


def on_a_scaled_carrier(obj):
    obj.data.bones["Bone.0"].plant_dynamics.use_physics = False
    inherit(obj, "ALIGNED")
    key_bone(obj, "Bone.0", "scale", {1: (1, 1, 1), 12: (0.8, 1.5, 0.9), 25: (1, 1, 1)})


def as_a_whole(obj):
    for frame, size in ((1, 1.0), (15, 1.6), (30, 0.9)):
        obj.scale = (size,) * 3
        obj.keyframe_insert("scale", frame=frame)


def as_drawn(obj):
    """For comparison."""


def only_posed(obj):
    inherit(obj, "ALIGNED")
    obj.pose.bones["Bone.2"].scale = (0.9, 1.4, 0.9)


RIGS = {
    one.__name__: one
    for one in (moved, longer, larger, average, longer_and_moved, driven, in_the_nla, on_a_scaled_carrier, as_a_whole,
                only_posed, as_drawn)
}  # fmt: skip
each_rig = pytest.mark.parametrize("rig", RIGS.values(), ids=RIGS)


def rigged(run_operator, rig) -> bpy.types.Object:
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(BONES)
    run_operator("make_dynamic")
    rig(obj)
    plants.show(1)
    return obj


@each_rig
def test_a_handle_holds_the_tip_where_blender_shows_it(fresh, run_operator, rig):
    """So the simulation's bones are as long, and where, as those that are shown."""
    obj = rigged(run_operator, rig)
    obj.data.bones.active = obj.data.bones["Bone.4"]
    run_operator("add_pull")
    pull = obj.plant_dynamics.loads[0]
    pull.bone, pull.stiffness, obj.plant_dynamics.stiffness_factor = "Bone.4", 1e6, 0.01
    pull.target.location = (0.3, 0.15, 0.1)
    obj.plant_dynamics.layout = "double_root"  # in which bones do not bend between their ends
    run_operator("play")
    off = []
    for frame in FRAMES:
        plants.show(frame)
        off.append(np.linalg.norm(plants.tip(obj, "Bone.4") - np.array(pull.target.matrix_world.translation)))
    assert max(off) < 1e-5


@each_rig
def test_frames_in_any_order_and_baked_show_the_same(fresh, run_operator, rig):
    obj = rigged(run_operator, rig)
    drawn = plants.played(obj, FRAMES)
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    assert np.abs(straight - drawn).max() > 0.01  # it hangs
    plants.check_orders_and_bakes(run_operator, obj, drawn, straight)


@each_rig
def test_what_is_keyed_is_followed_wholly(fresh, run_operator, rig):
    obj = rigged(run_operator, rig)
    for bone in obj.pose.bones:  # so that it is a pose to follow
        bone.keyframe_insert("rotation_quaternion", frame=1)
    drawn = plants.played(obj, FRAMES)
    obj.plant_dynamics.following.share = 1.0
    obj.plant_dynamics.following.recovery = 10.0
    run_operator("play")
    assert np.abs(plants.played(obj, FRAMES) - drawn).max() < 0.02


def test_what_is_set_of_mass_and_thickness_counts(fresh, run_operator):
    """A beam that is keyed longer sags by its stiffness and weight."""
    sag = {}
    for lengths in ("SCALE", "VOLUME", "SECTION"):
        obj = rigged(run_operator, as_drawn)
        obj.pose.bones["Bone.0"].scale = (1.5, 1.5, 1.5)
        obj.plant_dynamics.lengths, obj.plant_dynamics.stiffness_factor = lengths, 20.0
        run_operator("play")
        plants.show(1)
        sag[lengths] = -plants.tip(obj, "Bone.4")[2]
        bpy.data.objects.remove(obj)
    assert sag["VOLUME"] > 1.3 * sag["SECTION"] > 1.3 * 1.3 * sag["SCALE"] > 0.0


def test_without_follow_keys_lengths_are_as_drawn(fresh, run_operator):
    turns = []
    for rig in (moved, as_drawn):
        obj = rigged(run_operator, rig)
        obj.plant_dynamics.follow_animation = False
        run_operator("play")
        plants.show(20)
        turns.append(np.array([bone.rotation_quaternion for bone in obj.pose.bones]))
        bpy.data.objects.remove(obj)
    assert np.abs(turns[0] - turns[1]).max() < 1e-6


def test_what_would_be_sheared_is_named_and_mended(fresh, run_operator):
    obj = rigged(run_operator, as_drawn)
    key_bone(obj, "Bone.1", "scale", {1: (1, 1, 1), 12: (1, 1.6, 1)})
    warnings = module(fresh, "rigging.warnings")
    plants.show(12)
    sheared = [one for one in warnings.rig_warnings(obj) if "Sheared" in one.text]
    assert ["Bone.2" in one.text for one in sheared] == [True]
    assert sheared[0].fix.bones == ("Bone.2",)
    run_operator("bake")
    run_operator("clear_bake")
    run_operator("align_scale")
    assert {bone.inherit_scale for bone in obj.data.bones} == {"ALIGNED"}
    assert not [one for one in warnings.rig_warnings(obj) if "Sheared" in one.text]


def test_what_is_sheared_at_other_frames_is_named_too_once_they_have_been_played(fresh, run_operator):
    obj = rigged(run_operator, as_drawn)
    key_bone(obj, "Bone.1", "scale", {1: (1, 1, 1), 12: (1, 1.6, 1), 20: (1, 1, 1)})
    warnings = module(fresh, "rigging.warnings")

    def named() -> list[str]:
        return [name for one in warnings.rig_warnings(obj) if "Sheared" in one.text for name in one.fix.bones]

    run_operator("play")
    plants.show(24)
    assert "Bone.2" in named()
    assert "Bone.1" not in named(), "it sits on what is even"
    run_operator("align_scale")
    assert not named()


def test_keyed_bones_under_an_uneven_scale_follow_their_keys_beside_a_constraint(fresh, run_operator):
    """What is sheared has no quaternion of its axes; its own turn has one, with or without constraints elsewhere."""
    turns = []
    for constrained in (False, True):
        obj = rigged(run_operator, as_drawn)
        key_bone(obj, "Bone.1", "scale", {1: (1, 1, 1), 12: (0.7, 1.6, 0.7), 30: (1, 1, 1)})
        for name in ("Bone.2", "Bone.3"):
            obj.pose.bones[name].rotation_mode = "XYZ"
            key_bone(obj, name, "rotation_euler", {1: (0, 0, 0), 12: (0.5, 0.2, -0.4), 30: (-0.3, 0.1, 0.2)})
        if constrained:
            copy = obj.pose.bones["Bone.4"].constraints.new("COPY_ROTATION")
            copy.target, copy.subtarget = obj, "Bone.0"
            copy.owner_space = copy.target_space = "LOCAL"
        obj.plant_dynamics.following.share = 1.0
        run_operator("play")
        plants.played(obj, range(1, 13))
        turns.append(np.array([obj.pose.bones[name].rotation_quaternion for name in ("Bone.2", "Bone.3")]))
        bpy.data.objects.remove(obj)
    assert np.abs(turns[0] - turns[1]).max() < 1e-4
    assert np.abs(turns[0] - [1.0, 0.0, 0.0, 0.0]).max() > 0.1


def test_what_comes_off_of_scaled_bones_falls_from_where_it_is(fresh, run_operator):
    obj = rigged(run_operator, longer_and_moved)
    obj.plant_dynamics.breaks = True
    inherit(obj, "ALIGNED")
    disconnect(obj, "Bone.3")
    cut = obj.pose.bones["Bone.3"]
    for frame, value in ((1, 0), (12, 1)):
        cut.plant_dynamics_cut = bool(value)
        cut.keyframe_insert("plant_dynamics_cut", frame=frame)
    run_operator("play")
    poses = plants.played(obj, FRAMES)
    steps = np.linalg.norm(np.diff(poses[:, 3, :3, 3], axis=0), axis=1)
    assert np.abs(np.diff(steps)).max() < 0.03  # m a frame: nothing jumps, it gets faster by 0.017
    assert steps[-1] > 0.2
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    for frame in (11, 12, 20, 30):
        heads = session.brought_to(session.recording.index(frame)).rod_heads()
        assert np.abs(poses[frame - 1, :, :3, 3] - heads).max() < 1e-5
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-5


def test_what_grows_from_nothing(fresh, run_operator):
    obj = rigged(run_operator, as_drawn)
    key_bone(obj, "Bone.2", "scale", {1: (0.0,) * 3, 25: (1.0,) * 3})
    run_operator("play")
    poses = plants.played(obj, FRAMES)
    assert np.isfinite(poses).all()
    assert np.abs(np.diff(poses[:, :, :3, 3], axis=0)).max() < 0.1  # m a frame: it swings, nothing more
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-5


def test_what_no_rod_can_be_is_refused(fresh, run_operator):
    obj = rigged(run_operator, as_drawn)
    obj.pose.bones["Bone.2"].scale = (1, -1, 1)
    with pytest.raises(RuntimeError, match=r"Bone\.2.*mirrored"):
        run_operator("bake")
    obj.pose.bones["Bone.2"].scale = (1, 1, 1)
    disconnect(obj, "Bone.3")
    obj.data.bones["Bone.3"].use_local_location = False
    obj.pose.bones["Bone.3"].location = (0.1, 0, 0)
    with pytest.raises(RuntimeError, match=r"Bone\.3.*Local Location"):
        run_operator("bake")
