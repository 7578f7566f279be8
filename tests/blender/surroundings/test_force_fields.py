# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields do to plants what they do to Blender's own particles."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.field_scenes import (
    FRAME,
    MORE_SPOTS,
    SPOTS,
    add_field,
    add_particles,
    add_surface,
    followed,
    library,
    our_forces,
    particles,
    particles_of,
    plant_without_air,
)


def compare(fresh, spots=SPOTS, velocity=(0.0, 0.0, 0.0), frames=8):
    """Accelerations over single frames, Blender's and ours from where its particles are: within 2 % of the largest."""
    scene = bpy.context.scene
    plant = plant_without_air()
    emitter = add_particles(spots, velocity)
    scene.frame_set(1)
    seen, ours = [], []
    for frame in range(2, 2 + frames):
        scene.frame_set(frame)
        places, speeds = particles(emitter)
        if seen:
            seen[-1] = (speeds - seen[-1]) / FRAME
        forces = our_forces(fresh, plant)
        assert forces is not None
        ours.append((followed(forces, places, speeds, 0.0, 20)[1] - speeds) / FRAME)
        seen.append(speeds)
    blenders, ours = np.array(seen[:-1]), np.array(ours[:-1])
    largest = np.linalg.norm(blenders, axis=2).max()
    assert largest > 0.05, "the field must act for anything to be compared"
    error = np.linalg.norm(blenders - ours, axis=2)
    own = np.linalg.norm(blenders, axis=2)
    return float((error / np.maximum(own, 0.05 * largest)).max())


MOVING = (0.9, -0.4, 0.6)
FIELDS = {
    "wind": ("WIND", {"strength": 3.0, "flow": 0.0}, False),
    "wind that flows": ("WIND", {"strength": 3.0, "flow": 2.0}, True),
    "wind from a point": ("WIND", {"strength": 3.0, "flow": 0.0, "shape": "POINT", "falloff_power": 1.5}, False),
    "force": ("FORCE", {"strength": -4.0}, False),
    "force with gravity": ("FORCE", {"strength": 3.0, "use_gravity_falloff": True}, False),
    "force of a plane": ("FORCE", {"strength": 3.0, "shape": "PLANE", "falloff_power": 1.0}, False),
    "force of a line": ("FORCE", {"strength": 3.0, "shape": "LINE", "falloff_power": 2.0}, False),
    "force that flows": ("FORCE", {"strength": 3.0, "flow": 1.5, "falloff_power": 1.0}, True),
    "vortex of a plane": ("VORTEX", {"strength": 2.0, "shape": "PLANE"}, True),
    "vortex of a point": ("VORTEX", {"strength": 2.0, "shape": "POINT", "flow": 0.7}, True),
    "magnet of a point": ("MAGNET", {"strength": 5.0}, True),
    "magnet of a plane": ("MAGNET", {"strength": 5.0, "shape": "PLANE"}, True),
    "harmonic": ("HARMONIC", {"strength": 6.0, "harmonic_damping": 0.3}, True),
    "harmonic at a distance": ("HARMONIC", {"strength": 6.0, "rest_length": 0.8, "harmonic_damping": 0.0}, False),
    "turbulence": ("TURBULENCE", {"strength": 5.0, "size": 0.9}, False),
    "turbulence of the world": ("TURBULENCE", {"strength": 5.0, "size": 0.6, "use_global_coords": True}, False),
    "turbulence that flows": ("TURBULENCE", {"strength": 5.0, "size": 0.0, "flow": 1.0}, True),
    "linear drag": ("DRAG", {"linear_drag": 1.7, "quadratic_drag": 0.0}, True),
    "quadratic drag": ("DRAG", {"linear_drag": 0.0, "quadratic_drag": 1.3}, True),
    "too much drag": ("DRAG", {"linear_drag": 2.0, "quadratic_drag": 2.0, "falloff_power": 1.0}, True),
}


@pytest.mark.parametrize("name", FIELDS)
def test_every_kind_accelerates_as_it_does_particles(fresh, name):
    kind, settings, moves = FIELDS[name]
    add_field(kind, **settings)
    assert compare(fresh, velocity=MOVING if moves else (0.0, 0.0, 0.0)) < 0.02


REACHES = {
    "sphere": {"falloff_power": 2.0, "use_min_distance": True, "distance_min": 0.9, "use_max_distance": True,
               "distance_max": 2.0},
    "tube": {"falloff_type": "TUBE", "falloff_power": 1.0, "radial_falloff": 2.0},
    "tube with ends": {"falloff_type": "TUBE", "falloff_power": 0.5, "use_max_distance": True, "distance_max": 1.5,
                       "use_radial_min": True, "radial_min": 0.5, "use_radial_max": True, "radial_max": 1.4,
                       "radial_falloff": 1.0},
    "cone": {"falloff_type": "CONE", "falloff_power": 0.5, "radial_falloff": 0.3},
    "cone with ends": {"falloff_type": "CONE", "use_radial_min": True, "radial_min": 20.0, "use_radial_max": True,
                       "radial_max": 70.0, "radial_falloff": 0.2, "use_min_distance": True, "distance_min": 0.4},
    "upwards": {"z_direction": "POSITIVE", "falloff_power": 1.0},
    "downwards": {"z_direction": "NEGATIVE", "falloff_power": 1.0},
}  # fmt: skip


@pytest.mark.parametrize("kind", ["FORCE", "WIND"])
@pytest.mark.parametrize("name", REACHES)
def test_every_reach_is_blenders(fresh, name, kind):
    add_field(kind, strength=3.0, flow=0.0, **REACHES[name])
    assert compare(fresh, MORE_SPOTS, frames=3) < 0.02


@pytest.mark.parametrize("kind", ["FORCE", "WIND", "VORTEX"])
@pytest.mark.parametrize("shape", ["SURFACE", "POINTS"])
def test_meshes_as_fields_act_from_where_they_are(fresh, kind, shape):
    add_surface(kind, strength=1.5, shape=shape, falloff_power=1.0, flow=0.0)
    assert compare(fresh, frames=4) < 0.02


def test_several_fields_that_move_add_up(fresh):
    """A keyed one, one that hangs on it, and one whose strength is keyed, each as it is at the frame."""
    one = add_field("FORCE", strength=-3.0, falloff_power=1.0)
    plants.key_location(one, {1: (0, 0, 0), 11: (2, -1, 1)})
    other = add_field("WIND", strength=1.0, flow=0.0)
    other.parent = one
    other.keyframe_insert("rotation_euler", frame=1)
    other.rotation_euler = (1.0, 1.0, 0.0)
    other.keyframe_insert("rotation_euler", frame=11)
    third = add_field("TURBULENCE", strength=0.0, size=1.0)
    third.field.keyframe_insert("strength", frame=1)
    third.field.strength = 9.0
    third.field.keyframe_insert("strength", frame=11)
    # Blender's particles take fields where they are at the end of a frame.
    scene, plant = bpy.context.scene, plant_without_air()
    emitter = add_particles(SPOTS)
    scene.frame_set(1)
    before = None
    for frame in range(2, 9):
        scene.frame_set(frame)
        places, speeds = particles(emitter)
        if before is not None:
            ours = followed(our_forces(fresh, plant), *before, 0.0, 20)[1] - before[1]
            blenders = speeds - before[1]
            assert np.abs(ours - blenders).max() < 0.02 * np.abs(blenders).max()
        before = places, speeds


def test_noise_has_blenders_distribution(fresh):
    """Mean and spread of the acceleration over many particles and over many instants of ours."""
    add_field("WIND", strength=0.0, noise=3.0, flow=0.0, shape="POINT", seed=7)
    emitter = add_particles([(x, y, 0.0) for x in range(80) for y in range(50)])
    settings = emitter.particle_systems[0].settings
    settings.integrator, settings.subframes = "EULER", 0
    scene, plant = bpy.context.scene, plant_without_air()
    scene.frame_set(1)
    scene.frame_set(2)
    _, before = particles(emitter)
    scene.frame_set(3)
    axis = np.array(bpy.data.objects["Wind"].matrix_world.col[2][:3])
    blenders = (particles_of(emitter) - before) @ axis / FRAME
    forces, still = our_forces(fresh, plant), np.zeros((1, 3))
    ours = np.array([(forces(still, still, k * FRAME) @ axis)[0] for k in range(4000)])
    assert np.ptp(blenders) > 3.0
    assert abs(ours.mean() - blenders.mean()) < 0.05 * blenders.std()
    for level in (5, 25, 50, 75, 95):
        assert abs(np.percentile(ours, level) - np.percentile(blenders, level)) < 0.12 * blenders.std()
    assert forces(still, still, 1.23) == pytest.approx(forces(still, still, 1.23), abs=0.0)


@pytest.mark.parametrize("kind", ["WIND", "FORCE", "VORTEX", "MAGNET", "HARMONIC", "TURBULENCE", "DRAG"])
def test_weights_are_blenders(fresh, kind):
    """The same weights on particles and plant: all times that of the kind."""
    add_field(kind, strength=2.0, falloff_power=0.5, flow=0.6)
    names = {"MAGNET": "magnetic"}
    weight = names.get(kind, kind.lower())
    emitter, plant = add_particles(SPOTS, MOVING), plant_without_air()
    for weights in (emitter.particle_systems[0].settings.effector_weights, plant.plant_dynamics.fields):
        weights.all = 0.5
        setattr(weights, weight, 0.4)
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(2)
    state = tuple(particles(emitter))
    bpy.context.scene.frame_set(3)
    blenders = particles_of(emitter) - state[1]
    ours = followed(our_forces(fresh, plant), *state, 0.0, 20)[1] - state[1]
    assert np.abs(blenders).max() > 1e-3
    assert np.abs(ours - blenders).max() < 0.02 * np.abs(blenders).max()
    setattr(plant.plant_dynamics.fields, weight, 0.0)
    assert our_forces(fresh, plant) is None


def both_act(fresh, plant, collection):
    """Whether the scene's fields move particles, and whether they move the plant, of this effector collection."""
    plant.plant_dynamics.fields.collection = collection
    scene = bpy.context.scene
    emitter = add_particles(SPOTS)
    emitter.particle_systems[0].settings.effector_weights.collection = collection
    for frame in (1, 2, 3):
        scene.frame_set(frame)
    moved, ours = bool(particles_of(emitter)[0].any()), our_forces(fresh, plant) is not None
    bpy.data.objects.remove(emitter)
    return moved, ours


def test_only_what_acts_in_blender_acts(fresh):
    """Of what is hidden, disabled, excluded or outside of the collection the same acts as on particles."""
    plant, field = plant_without_air(), add_field("FORCE", strength=2.0)
    scene, mine = bpy.context.scene, bpy.data.collections.new("Mine")
    scene.collection.children.link(mine)
    layer = bpy.context.view_layer.layer_collection.children["Mine"]
    assert both_act(fresh, plant, None) == (True, True)
    assert both_act(fresh, plant, mine) == (False, False)
    field.hide_set(True)
    assert both_act(fresh, plant, None) == (True, True)
    field.hide_viewport = True
    assert both_act(fresh, plant, None) == (False, False)
    field.hide_viewport = False
    mine.objects.link(field)
    assert both_act(fresh, plant, mine) == (True, True)
    scene.collection.objects.unlink(field)
    assert both_act(fresh, plant, None) == (True, True)
    mine.hide_viewport = True
    assert both_act(fresh, plant, None) == (False, False)
    assert both_act(fresh, plant, mine) == (False, False)
    mine.hide_viewport = False
    layer.hide_viewport = True
    assert both_act(fresh, plant, None) == (True, True)
    layer.hide_viewport, layer.exclude = False, True
    assert both_act(fresh, plant, None) == (False, False)
    assert both_act(fresh, plant, mine) == (True, True)
    field.field.apply_to_location = False
    assert both_act(fresh, plant, mine) == (False, False)


@pytest.mark.parametrize("kind", ["CHARGE", "LENNARDJ", "TEXTURE", "BOID", "GUIDE", "FLUID"])
def test_what_has_no_effect_says_so(fresh, kind):
    plant = plant_without_air()
    bpy.ops.object.effector_add(type=kind)
    field = bpy.context.object
    fields = library(fresh, "surroundings.force_fields").FORCE_FIELDS
    assert fields.why_idle(field, plant.plant_dynamics, bpy.context.scene)
    assert our_forces(fresh, plant) is None
