# SPDX-License-Identifier: GPL-3.0-or-later
"""Backdrop, lights, camera and render settings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..blender.mesh_objects import add_smooth_object
from ..grow.looks.materials import soil_material
from ..grow.looks.shader_nodes import ShaderTree
from .framing import Array, fitting_place, view_axes

SOIL_RISE = 0.10

_WITH_VERTICES = ("MESH", "CURVE", "SURFACE", "FONT")
_FEW = 100


@dataclass(frozen=True)
class RenderQuality:
    """Cycles on the CPU; a few samples suffice where Open Image Denoise is built in."""

    width: int = 640
    height: int = 480
    samples: int = 24
    seed: int = 1


def world_points(
    objects: Iterable[bpy.types.Object], every: int = 1, depsgraph: bpy.types.Depsgraph | None = None
) -> Array:
    """World positions (n, 3) of the vertices of meshes and curves as they are now, deformed by their armatures.

    every: of many vertices only each so manieth. Of a scene that no window shows give its view layer's depsgraph.
    """
    depsgraph = depsgraph or bpy.context.evaluated_depsgraph_get()
    parts = []
    for candidate in objects:
        if candidate.type not in _WITH_VERTICES:
            continue
        evaluated = candidate.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        matrix = np.array(evaluated.matrix_world)
        step = every if len(mesh.vertices) > _FEW * every else 1
        parts.append(points.reshape(-1, 3)[::step] @ matrix[:3, :3].T + matrix[:3, 3])
        evaluated.to_mesh_clear()
    return np.concatenate([np.zeros((0, 3)), *parts])


def add_backdrop(scene: bpy.types.Scene, size: float, floor: float = 0.0) -> bpy.types.Object:
    """A floor at the height `floor` that curves up behind the scene, for a subject of about `size` metres."""
    reach, straight, bend = 14.0 * size, 1.8 * size, 3.0 * size
    angles = np.linspace(0.0, np.pi / 2, 16)
    curve = zip((straight + bend * np.sin(angles)).tolist(), (bend - bend * np.cos(angles)).tolist(), strict=True)
    profile = [(-reach, 0.0), *curve, (straight + bend, reach)]
    vertices = [(side * reach, y, z + floor) for y, z in profile for side in (-1.0, 1.0)]
    faces = [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(len(profile) - 1)]
    grey = bpy.data.materials.new("Backdrop")
    ShaderTree(grey).principled({"Base Color": (0.50, 0.50, 0.47), "Roughness": 0.85, "Specular IOR Level": 0.2})
    return add_smooth_object(scene.collection, "Backdrop", vertices, faces, grey)


def add_soil_patch(scene: bpy.types.Scene, radius: float, place: Sequence[float] = (0, 0, 0)) -> bpy.types.Object:
    """A low round heap of soil for a plant without a pot: its top is at `place`, the floor SOIL_RISE radii lower."""
    rings, sides = 14, 64
    rng = np.random.default_rng(3)
    angle = 2 * np.pi * np.arange(sides) / sides
    edge = 1.0 + 0.05 * np.sin(3 * angle + 1.0) + 0.03 * np.sin(7 * angle)
    share = np.linspace(0.0, 1.0, rings + 1)[1:]
    height = 1.3 * SOIL_RISE * radius * (np.cos(np.pi * share) - 1.0) / 2
    bumps = 0.008 * radius * rng.normal(size=(rings, sides)) * (share < 0.95)[:, None]
    x = radius * share[:, None] * edge * np.cos(angle)
    y = radius * share[:, None] * edge * np.sin(angle)
    points = np.stack([x, y, height[:, None] + bumps], axis=2).reshape(-1, 3)
    faces = [
        (k * sides + a, (k + 1) * sides + a, (k + 1) * sides + (a + 1) % sides, k * sides + (a + 1) % sides)
        for k in range(rings - 1)
        for a in range(sides)
    ]
    top = len(points)
    faces += [(a, (a + 1) % sides, top) for a in range(sides)]
    vertices = [*points.tolist(), (0.0, 0.0, 0.0)]
    patch = add_smooth_object(scene.collection, "Soil Patch", vertices, faces, soil_material())
    patch.location = place
    return patch


def light_softly(scene: bpy.types.Scene, centre: Sequence[float], size: float) -> None:
    """A large key light from the left, a weak fill from the right, an edge light from behind, and a pale sky."""
    target = Vector(centre)
    # Name, direction from the subject, distance and width in subject sizes, strength, colour.
    plan = (
        ("Key", (-1.0, -1.1, 1.5), 3.2, 1.3, 21.0, (1.0, 0.95, 0.87)),
        ("Fill", (1.4, -1.0, 0.6), 3.6, 2.6, 3.5, (0.86, 0.93, 1.0)),
        ("Edge", (0.7, 0.9, 1.9), 3.4, 1.4, 13.0, (1.0, 0.97, 0.92)),
    )
    for name, direction, distance, width, strength, colour in plan:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.shape = "DISK"
        lamp.size = width * size
        lamp.energy = strength * (distance * size) ** 2
        lamp.color = colour
        light = bpy.data.objects.new(name, lamp)
        away = Vector(direction).normalized()
        light.location = target + away * distance * size
        light.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
        scene.collection.objects.link(light)
    world = bpy.data.worlds.new("Studio")
    if world.node_tree is None:
        world.use_nodes = True
    background = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (0.80, 0.88, 1.0, 1.0)
    background.inputs["Strength"].default_value = 0.42
    scene.world = world


def add_camera(
    scene: bpy.types.Scene,
    points: Array,
    azimuth_degrees: float = 18.0,
    elevation_degrees: float = 9.0,
    lens: float = 70.0,
    margin: float = 0.06,
) -> bpy.types.Object:
    """A camera that sees all points (n, 3), at the picture's present width and height; made the scene's camera."""
    camera_data = bpy.data.cameras.new("Camera")
    camera_data.lens = lens
    camera_data.sensor_fit = "AUTO"
    camera = bpy.data.objects.new("Camera", camera_data)
    scene.collection.objects.link(camera)
    aim(scene, camera, points, azimuth_degrees, elevation_degrees, margin)
    scene.camera = camera
    return camera


def aim(
    scene: bpy.types.Scene, camera: bpy.types.Object, points: Array, azimuth_degrees: float, elevation_degrees: float,
    margin: float = 0.06,
) -> None:  # fmt: skip
    """Move a camera so that it sees all points."""
    size = np.array([scene.render.resolution_x, scene.render.resolution_y])
    longer = camera.data.sensor_width / (2 * camera.data.lens)  # tangent of half the angle of the longer side
    half_angles = np.arctan(longer * size / size.max())
    axes = view_axes(np.radians(azimuth_degrees), np.radians(elevation_degrees))
    place = fitting_place(points, axes, half_angles, margin)
    camera.matrix_world = Matrix.Translation(place.tolist()) @ Matrix(axes.tolist()).to_4x4()
    distance = float(np.linalg.norm(points.mean(axis=0) - place))
    camera.data.clip_start, camera.data.clip_end = distance / 100.0, distance * 100.0


def use_cycles(scene: bpy.types.Scene, quality: RenderQuality) -> None:
    """Cycles on the CPU with few samples, denoised where that is built in, and the same noise in every run."""
    render = scene.render
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y, render.resolution_percentage = quality.width, quality.height, 100
    render.use_persistent_data = True
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = quality.samples
    cycles.seed = quality.seed
    cycles.use_adaptive_sampling = True
    cycles.max_bounces, cycles.diffuse_bounces, cycles.transmission_bounces = 5, 3, 3
    cycles.use_denoising = _can_denoise()
    if cycles.use_denoising:
        cycles.denoiser = "OPENIMAGEDENOISE"
        cycles.denoising_prefilter = "FAST"  # the accurate one takes longer than the samples
    view = scene.view_settings
    view.view_transform, view.look = "AgX", "AgX - Medium High Contrast"
    view.exposure, view.gamma = 0.0, 1.0


def _can_denoise() -> bool:
    """Whether this Cycles was built with Open Image Denoise; its own panels ask in the same way."""
    import _cycles

    return bool(_cycles.with_openimagedenoise)


def add_label(scene: bpy.types.Scene, text: str, width: float = 0.5, corner: tuple[float, float] = (0.04, 0.05)):
    """A line of text in the lower left of the scene's camera, as part of the picture.

    `width` is the share of the picture's width that the text may take at most; `corner` is its distance from the
    picture's left and lower edge, in shares of the picture's width.
    """
    camera = scene.camera
    aspect = scene.render.resolution_y / scene.render.resolution_x
    depth = 2.0 * camera.data.clip_start
    frame_width = depth * camera.data.sensor_width / camera.data.lens / max(1.0, aspect)
    curve = bpy.data.curves.new("Label", "FONT")
    curve.body = text
    curve.size = 0.05 * frame_width
    label = bpy.data.objects.new("Label", curve)
    scene.collection.objects.link(label)
    label.parent = camera
    label.location = (
        (corner[0] - 0.5) * frame_width, (corner[1] - 0.5 * aspect) * frame_width, -depth,
    )  # fmt: skip
    scene.view_layers[0].update()
    shrink = width * frame_width / max(label.dimensions.x, 1e-9)
    if shrink < 1.0:
        curve.size *= shrink
    curve.materials.append(ink())
    return label


def ink() -> bpy.types.Material:
    """What labels are written with: dark grey, whatever the light."""
    material = bpy.data.materials.new("Label")
    material.diffuse_color = (0.02, 0.02, 0.02, 1.0)  # in solid views
    tree = ShaderTree(material)
    tree.surface(tree.node("ShaderNodeEmission", {"Color": (0.05, 0.05, 0.05, 1.0)}).outputs[0])
    return material
