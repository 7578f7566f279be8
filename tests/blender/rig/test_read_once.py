# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant is made of is read once, at the scene's first frame, whatever frame is shown when that happens."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module

FRAMES = range(1, 31)
PER_FRAME = {"stiffness_factor", "gravity_factor", "animation_influence", "leaf_curl", "let_go", "lengths", "flutter"}


def swinging(addon) -> bpy.types.Object:
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(4)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    plants.key_location(obj, {1: (0.0, 0.0, 0.0), 5: (0.0, 0.0, 0.0), 15: (0.2, 0.2, 0.0)})
    return obj


def scaled(obj):
    for frame, size in ((FRAMES[0], 1.0), (FRAMES[-1], 2.0)):
        obj.scale = (size, size, size)
        obj.keyframe_insert("scale", frame=frame)


def scaled_by_its_parent(obj):
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    obj.parent = parent
    scaled(parent)


def with_keyed_envelopes(obj):
    for frame, radius in ((FRAMES[0], 0.004), (FRAMES[-1], 0.006)):
        obj.data.bones["Bone.1"].head_radius = radius
        obj.data.keyframe_insert('bones["Bone.1"].head_radius', frame=frame)


def touched(addon, obj):
    obj.plant_dynamics.use_tip_error = True
    obj.plant_dynamics.use_tip_error = False


def forgotten(addon, obj):
    plants.close_sessions(module(addon, "dynamics.motion.sessions"))


@pytest.mark.parametrize("reopen", [touched, forgotten])
@pytest.mark.parametrize("change", [scaled, scaled_by_its_parent, with_keyed_envelopes])
def test_the_frame_at_which_a_plant_is_read_does_not_matter(fresh, run_operator, change, reopen):
    obj = swinging(fresh)
    change(obj)
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    for frame in (20, 30, 7):
        plants.show(frame)
        reopen(fresh, obj)
        for shown in (frame, 25, 3):
            plants.show(shown)
            assert np.array_equal(plants.matrices(obj), straight[shown - 1]), (frame, shown)
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < 1e-5


def test_a_file_opened_at_any_frame_shows_the_same(fresh, run_operator, tmp_path):
    obj = swinging(fresh)
    scaled(obj)
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    plants.show(20)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scaled.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scaled.blend"))
    obj = bpy.data.objects["Chain"]
    for frame in (20, 11, 30):
        plants.show(frame)
        assert np.array_equal(plants.matrices(obj), straight[frame - 1])


def test_a_scale_that_is_animated_to_a_mirrored_one_is_refused(fresh, run_operator):
    obj = swinging(fresh)
    for frame, size in ((FRAMES[0], 1.0), (FRAMES[-1], -1.0)):
        obj.scale = (size, size, size)
        obj.keyframe_insert("scale", frame=frame)
    for action in ("play", "bake"):
        with pytest.raises(RuntimeError, match="'Chain' becomes mirrored"):
            run_operator(action)
    assert not obj.plant_dynamics.live


def test_what_is_measured_is_what_is_played(fresh, run_operator):
    obj = swinging(fresh)
    scaled(obj)
    run_operator("play")
    measure = module(fresh, "comparison.plots").measure
    plants.show(1)
    first = measure(bpy.context, obj, FRAMES[-1])
    plants.show(22)
    assert np.array_equal(measure(bpy.context, obj, FRAMES[-1]).tip, first.tip)
    assert bpy.context.scene.frame_current == 22


def test_only_what_is_read_at_every_frame_can_be_keyed(fresh):
    plant, bone = (getattr(bpy.types, owner).bl_rna.properties["plant_dynamics"].fixed_type
                   for owner in ("Object", "Bone"))  # fmt: skip

    def animatable(group):
        return {one.identifier for one in group.properties if one.is_animatable and one.type not in
                ("POINTER", "COLLECTION")}  # fmt: skip

    assert animatable(plant) == PER_FRAME
    assert animatable(bone) == set()
    load = plant.properties["loads"].fixed_type
    assert {"influence", "torque", "force", "stiffness"} <= animatable(load)


def curve_of(obj, path):
    action = obj.animation_data.action
    if hasattr(action, "slots"):
        bag = action.layers[0].strips[0].channelbag(obj.animation_data.action_slot)
        return bag.fcurves.new(path)
    return action.fcurves.new(path)


def test_curves_of_older_files_have_no_effect_and_plants_play(fresh, run_operator, tmp_path):
    obj = swinging(fresh)
    curve = curve_of(obj, "plant_dynamics.young_modulus")
    for frame, value in ((FRAMES[0], 300.0), (FRAMES[-1], 30.0)):
        curve.keyframe_points.insert(frame, value)
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    assert obj.plant_dynamics.young_modulus == 300.0
    plants.show(20)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "keyed.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "keyed.blend"))
    obj = bpy.data.objects["Chain"]
    assert np.array_equal(plants.played(obj, FRAMES), straight)
    assert "plant_dynamics.young_modulus" in {path for path, _ in plants.curves(obj.animation_data.action)}
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < 1e-5
    with pytest.raises(TypeError):
        obj.plant_dynamics.keyframe_insert("young_modulus", frame=1)
