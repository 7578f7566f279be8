# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves of grown plants turn, twist and flutter in gusts; `benchmarks/leaves.py` has the figures of whole trees."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.leaves.leaf_motion import in_wind


@pytest.fixture
def commands(fresh):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.commands")


def test_leaves_turn_by_tens_of_degrees_in_a_fresh_wind(fresh, commands):
    motion = in_wind(fresh, commands.grow("broad_leaf"), 8.0, 4.0)
    print(motion)
    assert 15.0 < motion.bend < 90.0
    assert motion.twist > 5.0
    assert motion.quick > 0.1


def test_in_a_breeze_leaves_move_and_twigs_hardly(fresh, commands):
    breeze = in_wind(fresh, commands.grow("shrub", steps=6), 2.0, 4.0)
    print(breeze)
    assert breeze.bend > 2.0
    assert breeze.leaf > breeze.twig


def test_in_a_breeze_leaves_flutter_several_times_a_second(fresh, commands):
    breeze = in_wind(fresh, commands.grow("broad_leaf"), 2.0, 12.0)
    print(breeze)
    assert breeze.quick > 0.5
    assert breeze.several > 0.2


def test_without_flutter_they_only_sway(fresh, commands):
    with_it = in_wind(fresh, commands.grow("broad_leaf"), 4.0, 4.0)
    plant = commands.grow("broad_leaf", location=(3.0, 0.0, 0.0))
    plant.plant_dynamics.flutter = 0.0
    without = in_wind(fresh, plant, 4.0, 4.0)
    assert without.frame < 0.5 * with_it.frame
    assert without.twist < 0.5 * with_it.twist


def test_flutter_is_keyed(fresh, commands):
    """Leaves only drag until the key, as those of a plant without it, and flutter from there on."""
    keyed, plain = commands.grow("broad_leaf", steps=6), commands.grow("broad_leaf", steps=6, location=(3.0, 0.0, 0.0))
    wind = bpy.context.scene.plant_dynamics.wind
    wind.use_air, wind.source, wind.speed, plain.plant_dynamics.flutter = True, "GUSTS", 5.0, 0.0
    for frame, value in ((24, 0.0), (25, 1.0)):
        keyed.plant_dynamics.flutter = value
        keyed.keyframe_insert("plant_dynamics.flutter", frame=frame)
    turned, live = {}, importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.live.live")
    for obj in (keyed, plain):
        live.go_live(obj)
        leaves = [i for i, bone in enumerate(obj.data.bones) if bone.plant_dynamics.organ == "leaf"]
        poses = plants.played(obj, range(1, 61))[:, leaves, :3, :3]
        steps = np.einsum("fnji,fnji->fn", poses[:-1], poses[1:])
        turned[obj] = np.degrees(np.arccos(np.clip(0.5 * (steps - 1.0), -1.0, 1.0))).mean(axis=1)
        live.stop_live(obj)
    assert turned[keyed][5:23].mean() < 2.0 * turned[plain][5:23].mean()
    assert turned[keyed][30:].mean() > 3.0 * turned[plain][30:].mean()


def test_leaves_flutter_as_much_as_anybody_may_ask_for(fresh, commands):
    """In a light wind too, where eddies are strongest: the wind takes them."""
    plant = commands.grow("broad_leaf", steps=4)
    plant.plant_dynamics.flutter = 1e3
    assert in_wind(fresh, plant, 0.5, 0.5).frame > 0.0
    assert in_wind(fresh, plant, 2.0, 0.5).frame > 0.0
    commands.bake([plant], last_frame=3)


def test_plants_that_go_together_flutter_each_as_much_as_it_is_set_to(fresh, commands):
    """In its own eddies too: those are what leaves shed."""
    wild, plain = commands.grow("broad_leaf", steps=6), commands.grow("broad_leaf", steps=6, location=(3.0, 0.0, 0.0))
    wind = bpy.context.scene.plant_dynamics.wind
    wind.use_air, wind.source, wind.speed, plain.plant_dynamics.flutter = True, "GUSTS", 5.0, 0.1
    live = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.live.live")

    def both(together: bool) -> list[np.ndarray]:
        for obj in (wild, plain):
            obj.plant_dynamics.contact.others = together
            live.go_live(obj)
        played = [[], []]
        for frame in range(1, 31):
            plants.show(frame)
            for poses, obj in zip(played, (wild, plain), strict=True):
                poses.append(plants.matrices(obj))
        for obj in (wild, plain):
            live.stop_live(obj)
        return [np.array(poses)[:, :, :3, 3] for poses in played]

    def quick(poses: np.ndarray) -> float:
        """Mean (m) of how joints leave a straight way from frame to frame."""
        return float(np.abs(np.diff(poses, n=2, axis=0)).mean())

    alone, together = both(False), both(True)
    print([quick(poses) for poses in (*alone, *together)])
    assert quick(together[1]) == pytest.approx(quick(alone[1]), rel=0.2), "its steps are as fine as the other's"
    assert quick(together[0]) > 1.5 * quick(together[1])


@pytest.mark.parametrize("start", ["drawn", "keep_shape"])
def test_plants_of_different_starts_go_together_in_their_own_eddies(fresh, commands, start):
    one, other = commands.grow("broad_leaf", steps=5), commands.grow("broad_leaf", steps=5, location=(1.0, 0.0, 0.0))
    wind = bpy.context.scene.plant_dynamics.wind
    wind.use_air, wind.source, wind.speed = True, "GUSTS", 5.0
    for obj, flutter in ((one, 1.0), (other, 0.2)):
        obj.plant_dynamics.flutter, obj.plant_dynamics.contact.others = flutter, True
    other.plant_dynamics.start = start
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    poses = plants.played(other, range(1, 4))
    assert np.abs(np.diff(poses, axis=0)).max() > 1e-5


@pytest.mark.parametrize(
    ("preset", "most"),
    [("tropical", 20.0), pytest.param("tomato", 13.0, marks=pytest.mark.full), ("sunflower", 15.0)],
)
def test_in_a_storm_petioles_do_not_whirl(fresh, commands, preset, most):
    """As they did where they were thin for what they bear, and the sunflower's where wind did not roll them up: leaves
    turned by 70, 15 and 47 degrees in a frame."""
    storm = in_wind(fresh, commands.grow(preset), 20.0, 2.0)
    print(storm)
    assert storm.frame < most


def test_wind_rolls_up_what_is_wide_for_its_rigidity(fresh, commands):
    """By the widths of the bones' blades; N mm of the panel are a thousandth of the solver's N m."""
    plant = commands.grow("broad_leaf")
    settings = plant.plant_dynamics
    sessions = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.motion.sessions")
    rolls = []
    for rigidity in (0.0, 1.0, 4.0):
        settings.blade_rigidity = rigidity
        settings.start = "drawn"
        bpy.ops.plant_dynamics.play()
        plants.show(1)
        (model,) = sessions.session_of(plant).plant.models
        rolls.append(model.panels.rolls)
    assert not rolls[0].any()
    assert np.allclose(rolls[1], 4.0 * rolls[2])
    leaf = next(bone for bone in plant.data.bones if bone.plant_dynamics.blade_area > 0.0)
    half = 0.5 * leaf.plant_dynamics.blade_area / leaf.length
    expected = settings.blade_drag_normal * half**3 / (16.0 * 1e-3)
    assert np.isclose(rolls[1], expected, rtol=1e-5).any()
