# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields do to plants what they do to Blender's own particles, and the plants show it."""

import importlib
import math

import bpy
import numpy as np
import pytest

from tests.blender import plants

#: s: a frame of Blender's particles, at any frame rate.
FRAME = 0.04
SPOTS = [(0.8, 0.3, 0.5), (-0.4, 1.1, 0.9), (0.2, -0.7, 1.6), (1.4, 1.2, 0.25), (-1.1, -0.5, 0.6), (0.1, 0.2, 2.2)]
#: Farther from fields than most, and on the other side of them.
MORE_SPOTS = [*SPOTS, (0.5, -0.4, -0.8), (-2.5, 1.9, -1.4)]


def library(fresh, name):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.{name}")


def add_field(kind, **settings):
    """A force field, tilted and away from the origin, as the Add menu makes it."""
    bpy.ops.object.effector_add(type=kind, location=(0.1, -0.2, 0.15), rotation=(0.4, -0.3, 0.7))
    obj = bpy.context.object
    change(obj, settings)
    return obj


def change(obj, settings):
    for name, value in settings.items():
        setattr(obj.field, name, value)


def add_surface(kind, **settings):
    """A bent quad and a triangle beside it as a force field."""
    mesh = bpy.data.meshes.new("Surface")
    corners = [(-1, -1, 0), (1, -1, 0.2), (1, 1, 0), (-1, 1, 0.3), (0.2, 0, -0.6), (0.5, 0.4, -0.7), (0.1, 0.6, -0.8)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3), (4, 5, 6)])
    obj = bpy.data.objects.new("Surface", mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.location, obj.rotation_euler = (0.1, 0.0, -0.1), (0.2, 0.1, 0.0)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.forcefield_toggle()
    change(obj, {"type": kind, **settings})
    return obj


def add_particles(spots, velocity=(0.0, 0.0, 0.0)):
    """A particle of mass 1 at each of the spots, which nothing but fields moves."""
    mesh = bpy.data.meshes.new("Emitter")
    mesh.from_pydata(spots, [], [])
    emitter = bpy.data.objects.new("Emitter", mesh)
    bpy.context.scene.collection.objects.link(emitter)
    emitter.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = emitter.particle_systems[0].settings
    settings.count, settings.emit_from, settings.use_emit_random = len(spots), "VERT", False
    settings.frame_start = settings.frame_end = 1.0
    settings.lifetime, settings.physics_type, settings.integrator = 1000.0, "NEWTON", "RK4"
    settings.normal_factor, settings.object_align_factor = 0.0, velocity
    settings.mass, settings.subframes, settings.effector_weights.gravity = 1.0, 40, 0.0
    settings.drag_factor = settings.damping = settings.brownian_factor = 0.0
    settings.use_size_deflect = settings.use_multiply_size_mass = False
    return emitter


def particles(emitter):
    """(k, 3) m and (k, 3) m/s of the particles now."""
    evaluated = emitter.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = evaluated.particle_systems[0].particles
    return (np.array([getattr(p, name)[:] for p in found], dtype=np.float64) for name in ("location", "velocity"))


def plant_without_air(wind_fields="FORCE"):
    obj = plants.chain(4)
    bpy.context.object.plant_dynamics.is_dynamic = True
    obj.plant_dynamics.fields.wind_fields = wind_fields
    obj.hide_viewport = False
    return obj


def our_forces(fresh, plant):
    """The fields as the solver would get them at the current frame."""
    fields = library(fresh, "force_fields")
    return fields.with_fields(plant, bpy.context.evaluated_depsgraph_get(), None)[1]


def followed(forces, places, speeds, time, steps=200):
    """Places and velocities a particle frame later, by Runge and Kutta's formula of fourth order."""
    h = FRAME / steps
    for _ in range(steps):
        k1, l1 = speeds, forces(places, speeds, time)
        k2 = speeds + 0.5 * h * l1
        l2 = forces(places + 0.5 * h * k1, k2, time)
        k3 = speeds + 0.5 * h * l2
        l3 = forces(places + 0.5 * h * k2, k3, time)
        k4 = speeds + h * l3
        l4 = forces(places + h * k3, k4, time)
        places = places + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        speeds = speeds + h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4)
    return places, speeds


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
    add_field("WIND", strength=0.0, noise=3.0, flow=0.0, shape="POINT")
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


def particles_of(emitter):
    return list(particles(emitter))[1]


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
    assert library(fresh, "force_fields").why_without_effect(plant, field)
    assert our_forces(fresh, plant) is None


@pytest.mark.parametrize("start", ["settled", "drawn", "keep_shape"])
def test_a_wind_that_pushes_is_gravity_aslant(fresh, run_operator, start):
    """The whole way, by Play: the same poses as with the scene's gravity turned instead."""
    scene = bpy.context.scene
    scene.frame_end = 12
    obj = plants.grow("broad_leaf")
    obj.plant_dynamics.start = start
    obj.plant_dynamics.fields.wind_fields = "FORCE"
    bpy.ops.object.effector_add(type="WIND", rotation=(0.0, math.pi / 2, 0.0))
    wind = bpy.context.object
    change(wind, {"strength": 4.0, "flow": 0.0})
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    pushed = plants.played(obj, range(1, 13))
    run_operator("reset")
    bpy.data.objects.remove(wind)
    drawn = plants.matrices(obj)
    scene.gravity = (4.0, 0.0, -9.81)
    run_operator("play")
    aslant = plants.played(obj, range(1, 13))
    assert np.abs(pushed - aslant).max() < 1e-5
    if start != "keep_shape":
        assert np.abs(pushed[-1] - drawn).max() > 0.01


def test_a_wind_that_blows_is_the_panels_wind(fresh, run_operator):
    """An even wind of the field in still air, and an even wind of the panel; half of each; none in a collection."""
    scene = bpy.context.scene
    scene.frame_end = 10
    settings = scene.plant_dynamics.wind
    obj = plants.grow("broad_leaf")
    bpy.ops.object.effector_add(type="WIND", rotation=(0.0, math.pi / 2, 0.0))
    wind = bpy.context.object
    bpy.context.view_layer.objects.active = obj
    poses = []
    settings.turbulence_intensity = 0.0
    for strength, speed in ((6.0, 0.0), (0.0, 6.0), (3.0, 3.0)):
        wind.field.strength, settings.speed = strength, speed
        settings.source = "GUSTS" if speed > 0.0 else "STILL"
        run_operator("play")
        poses.append(plants.played(obj, range(1, 11)))
        run_operator("reset")
    still = plants.matrices(obj)
    assert np.abs(poses[0][-1] - still).max() > 0.01
    assert np.abs(poses[0] - poses[1]).max() < 1e-5
    assert np.abs(poses[0] - poses[2]).max() < 1e-5


def test_preview_equals_bake_in_any_order_with_fields_that_move(fresh, run_operator):
    scene = bpy.context.scene
    scene.frame_end = 24
    obj = plants.grow("broad_leaf")
    force = add_field("FORCE", strength=-8.0, falloff_power=1.0)
    plants.key_location(force, {1: (1, 0, 0.3), 24: (-1, 0.4, 0.3)})
    wind = add_field("WIND", strength=5.0, noise=3.0, seed=3)
    wind.parent = force
    turbulence = add_field("TURBULENCE", strength=2.0, size=0.2)
    turbulence.field.keyframe_insert("strength", frame=1)
    turbulence.field.strength = 8.0
    turbulence.field.keyframe_insert("strength", frame=20)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    straight = plants.played(obj, range(1, 25))
    assert np.ptp(straight[:, :, :3, 3], axis=0).max() > 0.005
    run_operator("reset")
    run_operator("play")
    for frame in (20, 3, 24, 11, 12, 1):
        plants.show(frame)
        assert np.array_equal(plants.matrices(obj), straight[frame - 1])
    run_operator("reset")
    run_operator("bake")
    baked = plants.played(obj, range(1, 25))
    assert np.abs(baked - straight).max() < 1e-5


def test_a_field_changed_by_hand_acts_from_that_frame_on(fresh, run_operator):
    scene = bpy.context.scene
    scene.frame_end = 20
    obj = plants.grow("broad_leaf")
    field = add_field("FORCE", strength=0.0)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    still = plants.played(obj, range(1, 6))
    assert np.abs(still - still[0]).max() < 1e-4
    field.field.strength = -10.0
    plants.show(6)
    moved = plants.played(obj, range(6, 16))
    assert np.abs(moved[-1] - still[0]).max() > 1e-3


EXTREMES = [
    ("DRAG", {"linear_drag": 2.0, "quadratic_drag": 2.0}), ("WIND", {"strength": 50.0, "flow": 10.0}),
    ("FORCE", {"strength": -1000.0, "flow": 10.0}), ("FORCE", {"strength": 1000.0, "falloff_power": 10.0}),
    ("VORTEX", {"strength": 20.0}), ("HARMONIC", {"strength": 1000.0}), ("MAGNET", {"strength": 1000.0}),
    ("TURBULENCE", {"strength": 500.0, "size": 0.02}), ("WIND", {"strength": 20.0, "noise": 10.0}),
    ("FORCE", {"strength": 1e6, "use_gravity_falloff": True}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings"), EXTREMES)
@pytest.mark.parametrize("start", ["settled", "drawn"])
def test_strong_fields_leave_poses_finite(fresh, run_operator, kind, settings, start):
    """At 24 frames a second, or the plant says that it is refused."""
    scene = bpy.context.scene
    scene.frame_end = 12
    obj = plants.grow("broad_leaf")
    obj.plant_dynamics.start = start
    add_field(kind, **settings)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    assert np.isfinite(plants.played(obj, range(1, 13))).all()
    assert not library(fresh, "live").problem_of(obj)


def test_without_a_direction_nothing_blows(fresh):
    """Keyed through zero, gusts go on passing; else the air is still."""
    winds = library(fresh, "winds")
    settings = bpy.context.scene.plant_dynamics.wind
    settings.source, settings.speed = "GUSTS", 9.0
    points = np.array(SPOTS)
    assert np.abs(winds.read_wind(bpy.context.scene)(points, 0.0)).max() > 1.0
    settings.direction = (0.0, 0.0, 0.0)
    nothing = winds.read_wind(bpy.context.scene)
    assert not nothing(points, 0.0).any()
    assert nothing.passing == 9.0
    assert not winds.has_direction(settings)


def test_the_arrow_is_there_only_where_it_can_be_drawn(fresh):
    """Its lines end in the wind's direction and grow with the speed; without a window nothing is drawn."""
    from mathutils import Vector

    module = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.viewport.wind_arrow")
    bpy.context.scene.plant_dynamics.wind.show_in_viewport = True
    assert not module.is_drawn()
    short, long = (module.arrow(Vector((0, 2, 0)), speed, Vector((1, 1, 1)), 1.0) for speed in (4.0, 12.0))
    assert (long[1] - long[0]).normalized() == Vector((0, 1, 0))
    assert (long[1] - long[0]).length == pytest.approx(3.0 * (short[1] - short[0]).length)
    assert module.arrow(Vector((0, 0, 0)), 5.0, Vector(), 1.0) == []
    assert module.arrow(Vector((0, 0, 1)), 0.0, Vector(), 1.0) == []
    assert all(math.isfinite(x) for x in module.arrow(Vector((0, 0, -1)), 5.0, Vector(), 1.0)[-1])
    module._draw()  # nor does it fail where there is nothing to draw in
