# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains of IK and Spline IK of which only some bones are simulated: the others stand where the constraint has them, as
Blender evaluates the same rig without a simulation."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.renders import film, watched
from tests.forms import IS_FULL

FRAMES = range(1, 31)
BONES = 6
WAY = {1: (0.45, 0.1, 0.1), 12: (0.3, 0.25, 0.2), 22: (0.4, -0.1, 0.15), 30: (0.35, 0.15, 0.05)}


def holder(places=WAY) -> bpy.types.Object:
    empty = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(empty)
    plants.key_location(empty, places)
    return empty


def ik(obj, bone="Bone.5", count=0, places=WAY) -> bpy.types.Constraint:
    constraint = obj.pose.bones[bone].constraints.new("IK")
    constraint.target, constraint.chain_count = holder(places), count
    return constraint


def key_turn(obj, bone, mode) -> None:
    pose = obj.pose.bones[bone]
    pose.rotation_mode = mode
    for frame, angle in {1: 0.3, 12: 0.7, 22: -0.2, 30: 0.3}.items():
        path = "rotation_quaternion" if mode == "QUATERNION" else "rotation_euler"
        setattr(pose, path, (1.0, angle, 0.0, 0.5 * angle) if mode == "QUATERNION" else (angle, 0.0, 0.5 * angle))
        pose.keyframe_insert(path, frame=frame)


def branch(obj, below) -> None:
    """Two bones at right angles to the chain, at the end of one of its bones."""
    bpy.ops.object.mode_set(mode="EDIT")
    parent = obj.data.edit_bones[below]
    for number in range(2):
        bone = obj.data.edit_bones.new(f"Branch.{number}")
        bone.head, bone.tail = (0.2, 0.1 * number, 0.0), (0.2, 0.1 * number + 0.1, 0.0)
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent, bone.use_connect, parent = parent, True, bone
    bpy.ops.object.mode_set(mode="OBJECT")


def whole_chain(obj):
    ik(obj)
    return {"Bone.0", "Bone.1"}


def short_chain(obj):
    """The upper arm is animated, forearm and hand are simulated."""
    ik(obj, count=3)
    return {"Bone.0", "Bone.1", "Bone.2", "Bone.3"}


def keyed_too(obj):
    """Keys give the pose that the solution is found from."""
    ik(obj)
    key_turn(obj, "Bone.0", "QUATERNION")
    key_turn(obj, "Bone.1", "XYZ")
    return {"Bone.0", "Bone.1"}


def driven_too(obj):
    ik(obj)
    driver = obj.pose.bones["Bone.1"].driver_add("rotation_quaternion", 1).driver
    driver.type = "SCRIPTED"
    driver.expression = "0.02 * frame"
    return {"Bone.0", "Bone.1"}


def influenced_partly(obj):
    """What the constraint does not have stays as it is keyed."""
    keyed_too(obj)
    constraint = obj.pose.bones["Bone.5"].constraints[0]
    for frame, influence in {1: 0.0, 12: 1.0, 30: 0.3}.items():
        constraint.influence = influence
        constraint.keyframe_insert("influence", frame=frame)
    return {"Bone.0", "Bone.1"}


def tracking_first(obj):
    """A bone of the chain has a constraint of its own, which acts only once."""
    ik(obj).influence = 0.5
    track = obj.pose.bones["Bone.1"].constraints.new("DAMPED_TRACK")
    track.target = holder({1: (0.4, 0.3, 0.3), 30: (0.3, -0.4, 0.2)})
    return {"Bone.0", "Bone.1"}


def two_that_share(obj):
    """A branch of the chain is led by another constraint, and none of it is simulated."""
    branch(obj, "Bone.1")
    ik(obj)
    ik(obj, "Branch.1", places={1: (0.15, 0.2, 0.0), 15: (0.2, 0.2, 0.1), 30: (0.1, 0.25, 0.05)})
    return {"Bone.0", "Bone.1", "Branch.0", "Branch.1"}


def riding(obj):
    """What sits on the simulated bones is not simulated."""
    ik(obj)
    return {"Bone.4", "Bone.5"}


def between(obj):
    ik(obj)
    return {"Bone.0", "Bone.2", "Bone.3"}


def without_the_tip(obj):
    ik(obj).use_tail = False
    return {"Bone.0", "Bone.5"}


def stretching(obj):
    for bone in obj.pose.bones:
        bone.ik_stretch, bone.bone.inherit_scale = 0.3, "ALIGNED"
    ik(obj, places={1: (0.5, 0.1, 0.1), 12: (0.7, 0.2, 0.2), 30: (0.55, -0.1, 0.15)})
    return {"Bone.0", "Bone.1"}


def along_a_curve(obj, lower=("Bone.0", "Bone.1", "Bone.2"), fits="NONE"):
    points = (0.0, 0.0, 0.1), (0.2, 0.2, 0.2), (0.7, 0.1, 0.1)
    plants.lead_along_a_line(obj.pose.bones["Bone.5"], BONES, points).y_scale_mode = fits
    return set(lower)


def fitted_to_a_curve(obj):
    for bone in obj.data.bones:
        bone.inherit_scale = "NONE"
    return along_a_curve(obj, fits="FIT_CURVE")


def riding_on_a_curve(obj):
    return along_a_curve(obj, lower=("Bone.4", "Bone.5"))


def carried_beside(obj):
    """What carries simulated bones is no bone of the chain, but sits on one."""
    branch(obj, "Bone.1")
    ik(obj)
    return {"Bone.0", "Bone.1", "Branch.0"}


RIGS = {
    one.__name__: one
    for one in (whole_chain, short_chain, keyed_too, driven_too, influenced_partly, tracking_first, two_that_share,
                riding, between, without_the_tip, stretching, along_a_curve, fitted_to_a_curve, riding_on_a_curve,
                carried_beside)
}  # fmt: skip
both_layers = pytest.mark.parametrize("layers", [1, 2])
SEVERAL = [keyed_too, driven_too, riding, stretching]
several_rigs = pytest.mark.parametrize("rig", SEVERAL if IS_FULL else SEVERAL[1::2], ids=lambda rig: rig.__name__)
#: Of two view layers those whose bones are keyed, driven, carried, stretched and on curves; all in the full form.
IN_TWO = (keyed_too, driven_too, riding, stretching, fitted_to_a_curve, carried_beside)
each_rig_and_layers = pytest.mark.parametrize(
    ("rig", "layers"),
    [(rig, 1) for rig in RIGS.values()]
    + [(rig, 2) for rig in (RIGS.values() if IS_FULL else IN_TWO)],
    ids=lambda one: getattr(one, "__name__", None),
)

#: How exactly the same is the same; Blender finds bones' ends on a curve less exactly: beyond a corner it turns the
#: same chain on the same curve by up to 1e-4 from one frame to the next.
EXACT, ON_CURVES = 1e-5, 1e-4


class Rig:
    """A rig with what Blender makes of it, (frames, bones, 4, 4), before it is dynamic. own, animated: which bones are
    simulated and which are not."""

    def __init__(self, run_operator, rig, layers=1, share=1.0):
        bpy.context.scene.frame_end = FRAMES[-1]
        if layers > 1:
            bpy.context.scene.view_layers.new("Second")
        self.obj = plants.chain(BONES)
        left_out = rig(self.obj)
        self.drawn = plants.played(self.obj, FRAMES)
        run_operator("make_dynamic")
        for bone in self.obj.data.bones:
            bone.plant_dynamics.use_physics = bone.name not in left_out
        names = self.obj.pose.bones.keys()
        self.animated = [i for i, name in enumerate(names) if name in left_out]
        self.own = [i for i, name in enumerate(names) if name not in left_out]
        self.obj.plant_dynamics.following.share, self.obj.plant_dynamics.following.recovery = share, 10.0
        plants.show(1)

    def parents_of(self, which: list[int]) -> list[int]:
        return [self.obj.pose.bones.find(bone.parent.name) if (bone := self.obj.pose.bones[i]).parent else -1
                for i in which]  # fmt: skip

    def on_parents(self, poses: np.ndarray, which: list[int]) -> np.ndarray:
        """Of these bones where they stand on their parents."""
        return np.stack([poses[:, i] if below < 0 else np.linalg.inv(poses[:, below]) @ poses[:, i]
                         for i, below in zip(which, self.parents_of(which), strict=True)], axis=1)  # fmt: skip


@each_rig_and_layers
def test_bones_that_are_not_simulated_stand_where_the_constraint_has_them(fresh, run_operator, rig, layers):
    made = Rig(run_operator, rig, layers)
    assert np.abs(made.drawn[:, made.animated] - made.drawn[:1, made.animated]).max() > 0.02
    assert np.abs(plants.played(made.obj, FRAMES) - made.drawn).max() < 1e-6
    run_operator("play")
    shown = plants.played(made.obj, FRAMES)
    off = made.on_parents(shown, made.animated) - made.on_parents(made.drawn, made.animated)
    assert np.abs(off).max() < (ON_CURVES if "curve" in rig.__name__ else EXACT)
    assert np.abs(shown - made.drawn)[..., :3, 3].max() < 2e-3


@each_rig_and_layers
def test_frames_in_any_order_and_baked_show_the_same(fresh, run_operator, rig, layers):
    made = Rig(run_operator, rig, layers, 0.6)
    run_operator("play")
    straight = plants.played(made.obj, FRAMES)
    plants.check_orders_and_bakes(run_operator, made.obj, made.drawn, straight)


@several_rigs
@both_layers
def test_they_do_so_where_the_simulated_ones_do_not_follow(fresh, run_operator, rig, layers):
    made = Rig(run_operator, rig, layers)
    for i in made.own:
        made.obj.pose.bones[i].plant_dynamics_follow = 0.0
        made.obj.pose.bones[i].bone.plant_dynamics.stiffness_factor = 0.02
    run_operator("play")
    shown = plants.played(made.obj, FRAMES)
    off = made.on_parents(shown, made.animated) - made.on_parents(made.drawn, made.animated)
    assert np.abs(off).max() < EXACT
    assert np.abs(shown - made.drawn)[:, made.own].max() > 0.1


def as_it_stands(obj) -> list:
    """What a user may have set of the bones, and what animates them."""
    names = ("rotation_mode", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "location", "scale")
    values = [[value if isinstance(value, str) else tuple(value) for value in (getattr(bone, name) for name in names)]
              for bone in obj.pose.bones]  # fmt: skip
    constraints = [(one.name, one.mute, one.influence) for bone in obj.pose.bones for one in bone.constraints]
    data = obj.animation_data
    curves = [(curve.data_path, curve.array_index) for curve in data.drivers] if data else []
    return [values, constraints, curves, data and data.action]


@several_rigs
@both_layers
def test_all_is_as_before_when_it_ends(fresh, run_operator, rig, layers):
    made = Rig(run_operator, rig, layers)
    before = as_it_stands(made.obj)
    run_operator("play")
    plants.show(12)
    assert as_it_stands(made.obj) != before
    run_operator("reset")
    plants.show(1)
    assert as_it_stands(made.obj) == before
    run_operator("bake")
    plants.show(12)
    run_operator("clear_bake")
    plants.show(1)
    assert as_it_stands(made.obj) == before


@both_layers
def test_follow_is_turned_off_and_on_while_it_plays(fresh, run_operator, layers):
    made = Rig(run_operator, driven_too, layers)
    settings, lowest = made.obj.plant_dynamics, made.obj.pose.bones["Bone.1"]
    before = lowest.rotation_mode, tuple(lowest.rotation_quaternion)
    run_operator("play")
    plants.show(12)
    settings.following.share = 0.0
    plants.show(1)
    assert (lowest.rotation_mode, tuple(lowest.rotation_quaternion)) == before
    assert not made.obj.pose.bones["Bone.5"].constraints[0].mute
    settings.following.share = 1.0
    shown = plants.played(made.obj, FRAMES)
    assert np.abs(shown - made.drawn)[:, made.animated].max() < EXACT


@several_rigs
@both_layers
def test_what_is_rendered_is_what_is_seen(fresh, run_operator, tmp_path, rig, layers):
    made = Rig(run_operator, rig, layers)
    run_operator("play")
    plants.played(made.obj, FRAMES)
    sessions = importlib.import_module(f"{plants.ADDON}.dynamics.motion.sessions")
    known = sessions.session_of(made.obj)
    scene = film(tmp_path)
    scene.frame_step = 10
    with watched(made.obj) as seen:
        bpy.ops.render.render(animation=True)
    shown = known.plant.shown_index
    assert len(seen) == 3
    for frame, channels in seen.items():
        assert np.abs(channels[shown] - known.channels_at(int(frame))).max() < EXACT


def test_a_saved_cache_shows_the_same(fresh, run_operator, tmp_path):
    made = Rig(run_operator, stretching)
    made.obj.plant_dynamics.use_disk_cache = True
    run_operator("play")
    straight = plants.played(made.obj, FRAMES)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "partly.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "partly.blend"))
    assert np.abs(plants.played(bpy.data.objects["Chain"], FRAMES) - straight).max() < EXACT


def test_selected_bones_only(fresh, run_operator):
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(BONES)
    ik(obj)
    drawn = plants.played(obj, FRAMES)
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(obj, "Bone.3", "Bone.4", "Bone.5")
    run_operator("make_dynamic", bones="SELECTED")
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.plant_dynamics.following.share = 1.0
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    assert np.abs(straight - drawn)[:, :3].max() < EXACT
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < EXACT
    run_operator("clear_bake")
    assert np.abs(plants.played(obj, FRAMES) - drawn).max() < 1e-6


def test_a_constraint_of_a_bone_that_is_not_simulated_is_told_where_nothing_follows(fresh, run_operator):
    made = Rig(run_operator, riding, share=0.0)
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    assert "'Bone.5'" in " ".join(one.text for one in warnings.rig_warnings(made.obj) if "on top" in one.text)
    made.obj.plant_dynamics.following.share = 1.0
    assert not [one.text for one in warnings.rig_warnings(made.obj) if "on top" in one.text]


def test_what_is_moved_though_it_is_keyed_there_is_told(fresh, run_operator):
    made = Rig(run_operator, fitted_to_a_curve)
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    assert not [one.text for one in warnings.rig_warnings(made.obj) if "Followed" in one.text]
    made.obj.pose.bones["Bone.1"].keyframe_insert("scale", frame=1)
    assert "'Bone.1'" in " ".join(one.text for one in warnings.rig_warnings(made.obj) if "Followed" in one.text)


def copying(obj):
    """What carries a branch turns by half as a simulated bone does that is not on it."""
    branch(obj, "Bone.1")
    copy = obj.pose.bones["Branch.0"].constraints.new("COPY_ROTATION")
    copy.target, copy.subtarget, copy.influence = obj, "Bone.4", 0.5
    copy.target_space = copy.owner_space = "LOCAL"
    key_turn(obj, "Bone.4", "XYZ")
    key_turn(obj, "Bone.0", "QUATERNION")
    return {"Bone.0", "Bone.1", "Branch.0"}


@both_layers
def test_what_carries_the_plant_may_be_led_to_its_bones(fresh, run_operator, layers):
    made = Rig(run_operator, copying, layers)
    run_operator("play")
    straight = plants.played(made.obj, FRAMES)
    assert np.abs(straight - made.drawn)[:, made.animated].max() < EXACT
    assert np.abs(straight - made.drawn)[..., :3, 3].max() < 2e-3
    plants.check_orders_and_bakes(run_operator, made.obj, made.drawn, straight)


def test_but_not_where_nothing_follows(fresh, run_operator):
    """Where it would go hangs on a motion that hangs on it."""
    Rig(run_operator, copying, share=0.0)
    with pytest.raises(RuntimeError, match=r"its base follows bone 'Bone.4' of the plant itself"):
        run_operator("bake")
