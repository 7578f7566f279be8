# SPDX-License-Identifier: GPL-3.0-or-later
"""Follow: simulated bones move as they are keyed, or as constraints lead them, and come back after what disturbs."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Euler

from tests.blender.scenes import plants

FRAMES = range(1, 31)
BONES = 5


def target(keys: dict[int, tuple[float, float, float]]) -> bpy.types.Object:
    """An empty that moves."""
    empty = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(empty)
    plants.key_location(empty, keys)
    return empty


def key_turns(obj: bpy.types.Object, mode="QUATERNION", bones=("Bone.1", "Bone.2")) -> None:
    for number, name in enumerate(bones):
        pose = obj.pose.bones[name]
        pose.rotation_mode = mode
        for frame, angle in {1: 0.2, 10: 0.9, 18: -0.4, 30: 0.3}.items():
            turn = Euler((angle, 0.3 * angle, 0.5 * angle * number))
            if mode == "QUATERNION":
                pose.rotation_quaternion = turn.to_quaternion()
                pose.keyframe_insert("rotation_quaternion", frame=frame)
            else:
                pose.rotation_euler = turn
                pose.keyframe_insert("rotation_euler", frame=frame)


def with_ik(obj):
    ik = obj.pose.bones["Bone.4"].constraints.new("IK")
    ik.target, ik.chain_count = target({1: (0.4, 0.1, 0.1), 15: (0.3, 0.2, 0.2), 30: (0.35, -0.1, 0.15)}), 4


def with_damped_track(obj):
    key_turns(obj)
    track = obj.pose.bones["Bone.3"].constraints.new("DAMPED_TRACK")
    track.target = target({1: (0.4, 0.1, 0.3), 15: (0.3, 0.4, 0.2), 30: (0.4, -0.2, 0.3)})


def with_child_of(obj):
    key_turns(obj, "XYZ")
    holder = target({1: (0.0, 0.0, 0.0)})
    for frame, angle in {1: 0.0, 15: 0.6, 30: -0.3}.items():
        holder.rotation_euler = (0.0, angle, 0.5 * angle)
        holder.keyframe_insert("rotation_euler", frame=frame)
    held = obj.pose.bones["Bone.2"].constraints.new("CHILD_OF")
    held.target, held.influence = holder, 0.7
    held.use_location_x = held.use_location_y = held.use_location_z = False


def with_copy_rotation(obj):
    key_turns(obj, bones=("Bone.1",))
    copy = obj.pose.bones["Bone.3"].constraints.new("COPY_ROTATION")
    copy.target, copy.subtarget = obj, "Bone.1"
    copy.target_space = copy.owner_space = "LOCAL"


def with_keyed_influence(obj):
    """At some frames the constraint has none."""
    with_damped_track(obj)
    track = obj.pose.bones["Bone.3"].constraints[0]
    for frame, influence in {1: 0.0, 12: 1.0, 22: 1.0, 30: 0.0}.items():
        track.influence = influence
        track.keyframe_insert("influence", frame=frame)


def with_keys_only(obj):
    key_turns(obj)


_RIGS = with_keys_only, with_ik, with_damped_track, with_keyed_influence, with_child_of, with_copy_rotation
RIGS = {one.__name__: one for one in _RIGS}
each_rig = pytest.mark.parametrize("rig", RIGS.values(), ids=RIGS)


def rigged(rig) -> bpy.types.Object:
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(BONES)
    rig(obj)
    plants.show(1)
    return obj


def simulated(run_operator, obj, share=1.0, **settings) -> np.ndarray:
    """Played with so much following."""
    if not obj.plant_dynamics.is_dynamic:
        run_operator("make_dynamic")
    obj.plant_dynamics.following.share = share
    for name, value in settings.items():
        setattr(obj.plant_dynamics.following, name, value)
    run_operator("play")
    return plants.played(obj, FRAMES)


def turns(matrices: np.ndarray) -> np.ndarray:
    return matrices[..., :3, :3]


@each_rig
def test_the_evaluated_pose_is_followed(fresh, run_operator, rig):
    obj = rigged(rig)
    keyed = plants.played(obj, FRAMES)
    assert np.abs(keyed[14] - keyed[0]).max() > 0.03
    followed = simulated(run_operator, obj, recovery=10.0)
    off = np.abs(turns(followed) - turns(keyed))
    assert off.max() < 0.02
    assert np.degrees(off.mean()) < 0.1
    run_operator("reset")
    assert np.abs(plants.played(obj, FRAMES) - keyed).max() < 1e-6


@each_rig
def test_frames_in_any_order_and_baked_show_the_same(fresh, run_operator, rig):
    obj = rigged(rig)
    keyed = plants.played(obj, FRAMES)
    straight = simulated(run_operator, obj)
    plants.check_orders_and_bakes(run_operator, obj, keyed, straight)


@each_rig
def test_a_bake_that_was_never_played_is_the_same(fresh, run_operator, rig):
    obj = rigged(rig)
    straight = simulated(run_operator, obj)
    run_operator("reset")
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < 1e-5


def constraints_of(obj: bpy.types.Object) -> list[tuple]:
    return [(bone.name, one.name, one.mute, round(one.influence, 6)) for bone in obj.pose.bones
            for one in bone.constraints]  # fmt: skip


@each_rig
def test_constraints_act_again_afterwards(fresh, run_operator, rig):
    obj = rigged(rig)
    muted = obj.pose.bones["Bone.4"].constraints.new("LIMIT_ROTATION")
    muted.mute = True
    before = constraints_of(obj)
    simulated(run_operator, obj)
    assert all(mute for _, _, mute, _ in constraints_of(obj))
    run_operator("reset")
    assert constraints_of(obj) == before
    run_operator("bake")
    assert all(mute for _, _, mute, _ in constraints_of(obj))
    run_operator("clear_bake")
    assert constraints_of(obj) == before


def test_without_following_constraints_act_as_before(fresh, run_operator):
    obj = rigged(with_damped_track)
    before = constraints_of(obj)
    simulated(run_operator, obj, share=0.0)
    assert constraints_of(obj) == before


def test_turning_it_off_while_live_has_constraints_act(fresh, run_operator):
    obj = rigged(with_damped_track)
    before = constraints_of(obj)
    simulated(run_operator, obj)
    obj.plant_dynamics.following.share = 0.0
    plants.show(2)
    assert constraints_of(obj) == before
    obj.plant_dynamics.following.share = 1.0
    plants.show(3)
    assert all(mute for _, _, mute, _ in constraints_of(obj))


def test_wind_moves_what_follows_and_it_comes_back(fresh, run_operator):
    obj = rigged(with_keys_only)
    keyed = plants.played(obj, FRAMES)
    run_operator("make_dynamic")
    run_operator("add_pull")
    load = obj.plant_dynamics.loads[0]
    load.bone = "Bone.4"
    load.influence = 0.0
    load.keyframe_insert("influence", frame=5)
    load.influence = 1.0
    load.keyframe_insert("influence", frame=8)
    load.influence = 0.0
    load.keyframe_insert("influence", frame=11)
    followed = simulated(run_operator, obj, recovery=4.0)
    off = np.abs(followed - keyed).max(axis=(1, 2, 3))
    assert off[3] < 2e-3
    assert off[8] > 3.0 * max(off[3], 1e-4)
    assert off[-1] < 0.1 * off[8]


def test_bones_may_follow_less_than_the_armature(fresh, run_operator):
    obj = rigged(with_keys_only)
    keyed = plants.played(obj, FRAMES)
    for name in ("Bone.3", "Bone.4"):
        obj.pose.bones[name].plant_dynamics_follow = 0.0
    for bone in obj.data.bones:
        bone.plant_dynamics.stiffness_factor = 0.02
    followed = simulated(run_operator, obj, recovery=10.0)
    off = np.abs(turns(followed) - turns(keyed)).max(axis=(0, 2, 3))
    assert off[:3].max() < 0.05
    assert off[3:].min() > 0.03


def test_a_bone_may_be_damped_otherwise_than_the_armature(fresh, run_operator):
    """A blow at the tip: what is hardly damped swings to the other side, what has no value of its own does not."""
    beyond = []
    for ratio in (0.0, 0.05):
        obj = plants.chain(BONES)
        run_operator("make_dynamic")
        obj.plant_dynamics.gravity_factor = 0.0
        for pose in obj.pose.bones:
            pose.plant_dynamics_damping_ratio = ratio
        run_operator("add_pull")
        load = obj.plant_dynamics.loads[0]
        load.bone, load.stiffness = "Bone.4", 1.0
        still = plants.tip(obj, "Bone.4")
        load.target.location = np.add(still, (0.0, 0.2, 0.0))
        for frame, influence in ((1, 1.0), (3, 1.0), (4, 0.0)):
            load.influence = influence
            load.keyframe_insert("influence", frame=frame)
        obj.plant_dynamics.following.share = 1.0
        run_operator("play")
        ways = []
        for frame in FRAMES:
            plants.show(frame)
            ways.append((plants.tip(obj, "Bone.4") - still)[1])
        assert max(ways) > 0.005
        beyond.append(-min(ways) / max(ways))
        bpy.data.objects.remove(obj)
    assert beyond[0] < 0.02
    assert beyond[1] > 0.3


def test_a_key_lets_go(fresh, run_operator):
    """The share is keyed from 1 to 0: the plant acts, then hangs."""
    obj = rigged(with_keys_only)
    keyed = plants.played(obj, FRAMES)
    run_operator("make_dynamic")
    for bone in obj.data.bones:
        bone.plant_dynamics.stiffness_factor = 0.01
    following = obj.plant_dynamics.following
    for frame, share in ((1, 1.0), (12, 1.0), (14, 0.0)):
        following.share = share
        following.keyframe_insert("share", frame=frame)
    run_operator("play")
    followed = plants.played(obj, FRAMES)
    off = np.abs(followed - keyed).max(axis=(1, 2, 3))
    assert off[:12].max() < 0.03
    assert off[-1] > 0.1


def test_the_weak_give_way(fresh, run_operator):
    obj = rigged(with_keys_only)
    keyed = plants.played(obj, FRAMES)
    followed = simulated(run_operator, obj, largest_moment=1e-6)
    assert np.abs(followed - keyed).max() > 0.05


@each_rig
def test_the_ghost_is_where_bones_are_led(fresh, run_operator, rig):
    obj = rigged(rig)
    keyed = plants.played(obj, FRAMES)
    tails = keyed[:, :, :3, 3] + keyed[:, :, :3, 1] * 0.1
    simulated(run_operator, obj, share=0.5, show_reference=True)
    references = importlib.import_module(f"{plants.ADDON}.dynamics.motion.references")
    for frame in (1, 12, 30):
        plants.show(frame)
        (ghost,) = references.shown_references(bpy.context.scene)
        assert np.abs(ghost[:, 0] - keyed[frame - 1, :, :3, 3]).max() < 1e-5
        assert np.abs(ghost[:, 1] - tails[frame - 1]).max() < 1e-5


def test_the_ghost_leaves_out_what_follows_nothing(fresh, run_operator):
    obj = rigged(with_keys_only)
    obj.plant_dynamics.following.show_reference = True
    simulated(run_operator, obj, share=0.0)
    references = importlib.import_module(f"{plants.ADDON}.dynamics.motion.references")
    (every,) = references.shown_references(bpy.context.scene)
    assert len(every) == len(obj.data.bones)
    obj.pose.bones["Bone.4"].plant_dynamics_follow = 0.0
    simulated(run_operator, obj)
    (some,) = references.shown_references(bpy.context.scene)
    assert len(some) == len(obj.data.bones) - 1


def test_a_ragdoll_hangs_limp_whatever_it_was_made_of(fresh, run_operator, capfd):
    """Stiff, thick bones that stand level sink below where they hang by the first within a second."""
    obj = plants.chain(6)
    obj.plant_dynamics.radius_source, obj.plant_dynamics.radius = "FIXED", 0.05
    run_operator("make_dynamic")
    run_operator("preset_apply", kind="follow", preset="Ragdoll")
    assert "limp" in capfd.readouterr().out
    run_operator("play")
    heights = []
    for frame in range(1, 49):
        plants.show(frame)
        heights.append(plants.tip(obj, "Bone.5")[2])
    assert min(heights) < -0.5


def test_presets_and_warnings(fresh, run_operator, capfd):
    obj = rigged(with_damped_track)
    run_operator("make_dynamic")
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    (told,) = [one for one in warnings.rig_warnings(obj) if "Bone.3" in one.text]
    fixes = importlib.import_module(f"{plants.ADDON}.operators.fixes")
    (button,) = fixes.mending(obj, told.fix)
    run_operator(button.operator.partition(".")[2])
    assert obj.plant_dynamics.following.share == 1.0
    assert "Follow is 1 now" in capfd.readouterr().out
    obj.plant_dynamics.following.share = 0.0
    run_operator("preset_apply", kind="follow", preset="Acting")
    assert obj.plant_dynamics.following.share == 1.0
    assert not any("Bone.3" in one.text for one in warnings.rig_warnings(obj))
    obj.pose.bones["Bone.0"].keyframe_insert("scale", frame=1)
    obj.pose.bones["Bone.0"].constraints.new("STRETCH_TO").target = bpy.data.objects["Target"]
    assert any("Bone.0" in one.text for one in warnings.rig_warnings(obj))


def told_of(obj) -> str:
    """What is said of constraints that are not followed."""
    rig_warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings").rig_warnings
    return " ".join(one.text for one in rig_warnings(obj) if "Followed" in one.text)


@pytest.mark.parametrize("kind", ["SPLINE_IK", "IK", "TRANSFORM", "CHILD_OF", "COPY_TRANSFORMS", "STRETCH_TO"])
def test_constraints_that_stretch_bones_with_keys_on_their_scale_are_told(fresh, run_operator, kind):
    obj = rigged(with_keys_only)
    run_operator("make_dynamic")
    obj.plant_dynamics.following.share = 1.0
    obj.pose.bones["Bone.3"].ik_stretch = 0.5
    constraint = obj.pose.bones["Bone.3"].constraints.new(kind)
    if kind == "TRANSFORM":
        constraint.map_to = "SCALE"
    if kind == "IK":
        constraint.target = target({1: (0.4, 0.1, 0.2)})
    if kind == "SPLINE_IK":
        constraint.use_chain_offset = True
    assert "Bone.3" not in told_of(obj)
    obj.pose.bones["Bone.3"].keyframe_insert("scale", frame=1)
    assert "Bone.3" in told_of(obj)
    constraint.mute = True
    assert "Bone.3" not in told_of(obj)


def test_what_cannot_be_moved_is_told(fresh, run_operator):
    """Spline IK draws its chain's first bone to the curve, which a connected one does not follow."""
    obj = rigged(with_keys_only)
    run_operator("make_dynamic")
    obj.plant_dynamics.following.share = 1.0
    ik = obj.pose.bones["Bone.4"].constraints.new("SPLINE_IK")
    ik.chain_count = 3
    assert "Bone.2" in told_of(obj)
    ik.use_chain_offset = True
    assert "Bone.2" not in told_of(obj)
