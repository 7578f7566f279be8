# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields, particles that show what Blender makes of them, and what the plants make of them."""

import importlib

import bpy
import numpy as np

from tests.blender.scenes import plants

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


def particles_of(emitter):
    return list(particles(emitter))[1]


def plant_without_air(wind_fields="FORCE"):
    obj = plants.chain(4)
    bpy.context.object.plant_dynamics.is_dynamic = True
    obj.plant_dynamics.fields.wind_fields = wind_fields
    obj.hide_viewport = False
    return obj


def our_forces(fresh, plant):
    """The fields as the solver would get them at the current frame."""
    moment = library(fresh, "surroundings.influence").Moment
    once = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.blender.evaluation_cache").EvaluationCache()
    world = {"wind": None}
    at_frame = moment(plant, None, bpy.context.scene, bpy.context.evaluated_depsgraph_get(), once)
    library(fresh, "surroundings.force_fields").ForceFields().read(at_frame, world)
    return world.get("force_field")


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
