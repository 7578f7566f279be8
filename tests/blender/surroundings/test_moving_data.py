# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts as animation: only what can change with the frame."""

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module


@pytest.fixture
def chain(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    return obj


@pytest.fixture
def still(fresh, chain):
    """Whether nothing that acts on the plant can change with the frame."""

    def asked():
        found = module(fresh, "dynamics.surroundings.inputs").is_static(chain, bpy.context.scene)
        assert module(fresh, "dynamics.surroundings.inputs").is_read_moving(chain, bpy.context.scene) != found
        return found

    return asked


def curve_of(obj, keys, path="location"):
    for frame, value in keys.items():
        setattr(obj, path, (value, 0.0, 0.0))
        obj.keyframe_insert(path, index=0, frame=frame)
    owner = module_of("blender.fcurves").curve_owner(obj, obj.animation_data.action)
    return owner.fcurves[0]


def module_of(name):
    import importlib

    return importlib.import_module(f"bl_ext.user_default.plant_dynamics.plant_dynamics_addon.{name}")


def test_nothing_and_an_empty_action(chain, still):
    assert still()
    chain.animation_data_create()
    assert still()
    chain.animation_data.action = bpy.data.actions.new("Empty")
    assert still()
    bpy.context.scene.animation_data_create().action = bpy.data.actions.new("Empty")
    assert still()


@pytest.mark.parametrize("keys", [{3: 0.5}, {1: 0.5, 9: 0.5}, {1: 0.5, 9: 0.5, 20: 0.5}])
def test_keys_that_all_say_the_same(chain, still, keys):
    curve_of(chain, keys)
    assert still()


@pytest.mark.parametrize("keys", [{1: 0.0, 9: 0.5}, {1: 0.5, 9: 0.0, 20: 0.5}])
def test_keys_that_do_not(chain, still, keys):
    curve_of(chain, keys)
    assert not still()


def test_handles_lead_a_curve_away_from_equal_keys(chain, still):
    curve = curve_of(chain, {1: 0.5, 9: 0.5})
    key = curve.keyframe_points[0]
    key.handle_right_type = "FREE"
    key.handle_right.y += 0.2
    assert not still()


def test_some_interpolations_overshoot_between_equal_keys(chain, still):
    curve = curve_of(chain, {1: 0.5, 9: 0.5})
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
    assert still()
    curve.keyframe_points[0].interpolation = "ELASTIC"
    assert not still()


def test_a_modifier_moves_a_curve_of_any_keys(chain, still):
    curve = curve_of(chain, {1: 0.5})
    modifier = curve.modifiers.new(type="NOISE")
    assert not still()
    modifier.mute = True
    assert still()


def test_drivers_and_strips_may_move(chain, still):
    chain.driver_add("rotation_euler", 2).driver.expression = "0.01 * frame"
    assert not still()
    chain.driver_remove("rotation_euler", 2)
    assert still()
    chain.animation_data.nla_tracks.new()
    assert still()
    chain.animation_data.nla_tracks[0].strips.new("Strip", 1, bpy.data.actions.new("Any"))
    assert not still()


def test_a_curve_that_moves_among_many_that_do_not(chain, still):
    curve_of(chain, {1: 0.5, 9: 0.5})
    assert still()
    chain.keyframe_insert("scale", frame=1)
    assert still()
    chain.pose.bones[0].rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (9, 0.1)):
        chain.pose.bones[0].rotation_euler.x = angle
        chain.pose.bones[0].keyframe_insert("rotation_euler", frame=frame)
    assert not still()


def test_play_does_not_walk_through_the_frames_of_an_empty_action(fresh, chain, run_operator, monkeypatch):
    chain.animation_data_create().action = bpy.data.actions.new("Empty")
    seen = []
    monkeypatch.setattr(module(fresh, "dynamics.motion.sessions").Session, "channels_at", _noting(fresh, seen))
    bpy.context.scene.frame_end = 250
    run_operator("play")
    assert max(seen) <= bpy.context.scene.frame_start + 1


def _noting(fresh, seen):
    before = module(fresh, "dynamics.motion.sessions").Session.channels_at

    def channels_at(self, frame):
        seen.append(frame)
        return before(self, frame)

    return channels_at
