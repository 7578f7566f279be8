# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that come off in baked motions: location keys, what is between them, and that Clear Bake gives all back."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.baked import TARGETS
from tests.blender.scenes.breaking.coming_off import LAST, module
from tests.blender.scenes.comparisons import LAST as COMPARED
from tests.blender.scenes.comparisons import compared, same_keys

FRAMES = range(1, LAST + 1)



@pytest.fixture
def played(cut, run_operator):
    """All poses of the cut plant as Play shows them."""
    run_operator("play")
    return plants.played(cut, FRAMES)


def bake(run_operator, target="NEW", **options):
    run_operator("bake", target=target, **options)


def location_curves(obj):
    strips = [strip.action for track in obj.animation_data.nla_tracks for strip in track.strips]
    action = strips[0] if strips else obj.animation_data.action
    return {path for path, _ in plants.curves(action) if path.endswith("location") and path.startswith("pose")}


@pytest.mark.parametrize("target", TARGETS)
def test_a_bake_is_what_play_shows(fresh, cut, played, run_operator, target):
    before = plants.curves(cut.animation_data.action)
    bake(run_operator, target)
    baked = plants.played(cut, FRAMES)
    assert np.abs(baked - played).max() < 5e-6
    assert location_curves(cut) == {'pose.bones["Bone.2"].location'}
    assert not module(fresh, "baking.bake").is_edited(cut)
    run_operator("clear_bake")
    assert all(bone.location.length == 0.0 for bone in cut.pose.bones)
    after = plants.curves(cut.animation_data.action)
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[key], after[key]) for key in before)


def test_without_play_before(fresh, cut, run_operator):
    cut.pose.bones["Bone.2"].location = (0.1, 0.2, 0.3)
    bake(run_operator)
    assert len(location_curves(cut)) == 1
    plants.show(LAST)
    assert cut.pose.bones["Bone.2"].location.length > 0.5
    run_operator("clear_bake")
    assert tuple(cut.pose.bones["Bone.2"].location) == pytest.approx((0.1, 0.2, 0.3))


def test_between_frames_it_goes_as_play_does(cut, played, run_operator):
    moments = [(6, 0.5), (9, 0.25), (14, 0.75)]

    def shown():
        poses = []
        for frame, share in moments:
            bpy.context.scene.frame_set(frame, subframe=share)
            poses.append(plants.matrices(cut))
        return np.array(poses)

    live = shown()
    bake(run_operator)
    assert np.abs(shown() - live).max() < 1e-4


def test_the_users_location_keys_come_back(cut, run_operator):
    bone = cut.pose.bones["Bone.2"]
    for frame, x in ((1, 0.0), (8, 0.01)):
        bone.location.x = x
        bone.keyframe_insert("location", frame=frame)
    before = plants.curves(cut.animation_data.action)
    for target in TARGETS:
        bake(run_operator, target)
        plants.show(LAST)
        assert bone.location.length > 0.5
        run_operator("clear_bake")
        after = plants.curves(cut.animation_data.action)
        assert before.keys() == after.keys()
        assert all(np.array_equal(before[key], after[key]) for key in before), target


def test_a_part_is_baked_again(cut, played, run_operator):
    bake(run_operator, frame_range="CUSTOM", frame_start=1, frame_end=LAST)
    whole = plants.played(cut, FRAMES)
    cut.animation_data.action = cut.animation_data.action  # as it was baked
    bake(run_operator, frame_range="CUSTOM", frame_start=10, frame_end=15, part_only=True)
    assert np.abs(plants.played(cut, FRAMES) - whole).max() < 1e-5


def test_a_part_in_which_it_comes_off_is_baked_again(cut, run_operator):
    bake(run_operator, frame_range="CUSTOM", frame_start=1, frame_end=5)
    assert location_curves(cut) == set()
    bake(run_operator, frame_range="CUSTOM", frame_start=8, frame_end=15, part_only=True)
    plants.show(5)
    assert cut.pose.bones["Bone.2"].location.length == 0.0
    plants.show(15)
    assert cut.pose.bones["Bone.2"].location.length > 0.1


def test_what_breaks_makes_no_loop(cut, run_operator):
    with pytest.raises(RuntimeError, match="breaks, which no loop undoes"):
        bake(run_operator, use_loop=True, loop_frames=5)
    assert not cut.plant_dynamics.is_baked


def bone_keys(obj):
    return {key: keys for key, keys in plants.curves(obj.animation_data.action).items() if key[0].startswith("pose")}


def test_plants_that_are_compared_come_off_too(cut, run_operator):
    bpy.context.scene.frame_end = COMPARED
    run_operator("play")
    plants.show(10)  # the bone is away while copies are made
    places = compared(cut, "DENSITY", "900, 1800").places
    for density, place in zip((900.0, 1800.0), places, strict=True):
        cut.plant_dynamics.density = density
        run_operator("bake")
        assert same_keys(bone_keys(cut), bone_keys(place.variant.obj)), density
        assert ('pose.bones["Bone.2"].location', 0) in bone_keys(cut)
        run_operator("clear_bake")
    assert all(bone.location.length == 0.0 for bone in cut.pose.bones)
