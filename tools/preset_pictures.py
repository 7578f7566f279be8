# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders all plants of the Grow panel, settled, on one sheet, or each for the panel itself. Needs `bpy`; started as

    .venv-blender-4.5/bin/python tools/preset_pictures.py docs/pictures/presets.jpg [NAME ...]
    .venv-blender-4.5/bin/python tools/preset_pictures.py docs/pictures/presets_near.jpg --near
    .venv-blender-4.5/bin/python tools/preset_pictures.py plant_dynamics_addon/grow/pictures --each [NAME ...]

With names only those, in this order. On the sheet each picture has the plant's title and its height; with `--near`
it is taken from 0.3 m, of flowers where any are seen, else of fruits, of leaves, of stems, at the detail High, of trees
with instances of leaves. For the panel each plant is a small square JPEG of its own, by its name.
"""

import argparse
import importlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from demo import EXTENSION
from enabled_extension import enabled_extension

IN_A_ROW = 6
#: Pixels of the panel's pictures, which Blender shows at up to this size, and how well they are kept.
SMALL, SMALL_QUALITY = 192, 80
#: The lens of near pictures, with which they show 0.22 m at 0.3 m.
NEAR_LENS = 50.0
#: What that shows across, over the distance, and where in half pictures it is looked whether things are lit.
SEEN_WIDE, GRID = 0.58, np.linspace(-0.8, 0.8, 7)
#: Of so many places where a near picture could be taken that with the most light is chosen.
MOST_LOOKED_AT = 30
#: How far off a surface a ray to the light begins, m
OFF = 0.003
#: By EEVEE pictures are rendered with so many pixels across for each of theirs, and one sample: shadow maps, which take
#: most of its time, are drawn anew for every sample.
FINE = 3
#: Light is this power of what pictures store; means are of light.
GAMMA = 2.2
#: Where plants leave the ground, m
FOOT = np.array([[0.0, 0.0, 0.03]])
#: Direction of the camera, degrees
AZIMUTH = 18.0
#: elevation of the camera, degrees, of plants that are not seen best from the front
ELEVATION = {"fern": 24.0, "grass": 14.0, "meadow_grass": 12.0, "reed_bed": 12.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, help="the sheet, or with --each the folder")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--each", action="store_true", help="a small picture of each plant instead of a sheet")
    parser.add_argument("--near", type=float, nargs="?", const=0.3, default=0.0, help="distance, m; alone: 0.3")
    parser.add_argument("--keep", type=Path, help="folder for the pictures of a sheet; those that are there stay")
    parser.add_argument("--organ", default="", help="with --near: of this organ, or `foot` of the stem's")
    parser.add_argument("--eevee", action="store_true", help="by EEVEE, which needs a display or EGL")
    parser.add_argument("--size", type=int, default=240, help="width of a picture, pixels; it is a quarter higher")
    parser.add_argument("--samples", type=int, default=12, help="of Cycles")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_intermixed_args()
    with enabled_extension() as folder:
        (draw_each if options.each else draw_sheet)(options, folder)


def draw_sheet(options: argparse.Namespace, folder: Path) -> None:
    """Render one plant after the other and lay the pictures out in rows."""
    size = (options.size, options.size * 5 // 4)
    save_sheet([pixels for _, pixels in rendered(options, folder, size, titled=True)], options.target.resolve())


def save_sheet(tiles: list[np.ndarray], path: Path) -> None:
    """Write pictures in rows."""
    pictures = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures")
    across = min(IN_A_ROW, len(tiles))
    tiles = [*tiles, *[np.ones_like(tiles[0])] * (-len(tiles) % across)]
    save_jpeg(pictures.sheet([tiles[first : first + across] for first in range(0, len(tiles), across)]), path)


def draw_each(options: argparse.Namespace, folder: Path) -> None:
    """Render the panel's pictures."""
    for name, pixels in rendered(options, folder, (SMALL, SMALL), titled=False):
        save_jpeg(pixels, options.target.resolve() / f"{name}.jpg", SMALL_QUALITY)


def rendered(
    options: argparse.Namespace, folder: Path, size: tuple[int, int], *, titled: bool
) -> Iterator[tuple[str, np.ndarray]]:
    """Names and pixels of one plant after the other."""
    pictures = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures")
    presets = known_presets()
    for name in options.names or presets:
        begin = perf_counter()
        still = (options.keep.resolve() if options.keep else folder) / f"{name}.png"
        bones = 0 if still.exists() else render(presets[name], still, options, size, titled)
        yield name, pictures.read_pixels(still)
        if bones:
            print(f"{name}: {bones} bones, {perf_counter() - begin:.1f} s", flush=True)


def known_presets() -> dict[str, Any]:
    """All presets by their names, studies last."""
    presets = importlib.import_module(f"{EXTENSION}.lsystem").presets()
    return {preset.name: preset for preset in sorted(presets, key=lambda one: one.group == "Studies")}


def render(preset, still: Path, options: argparse.Namespace, size: tuple[int, int], titled: bool) -> int:
    """Grow the plant by the operator in an empty file, let it settle and render it; the number of its bones."""
    staged = stage(preset, bool(options.near), options.threads)
    look_at(staged, size, titled, options.near, options.organ)
    take(still, options.samples, options.eevee)
    return len(staged.plant.data.bones)


class Staged(NamedTuple):
    """A plant in the studio: its armature, points (n, 3) of its meshes and of the ground below, and what is before
    that, m."""

    preset: Any
    plant: Any
    seen: np.ndarray
    ground: np.ndarray
    below: np.ndarray


def stage(preset, is_near: bool, threads: int) -> Staged:
    """Grow the plant by the operator in an empty file, let it settle, and light it."""
    import bpy

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    grow = scene.plant_dynamics
    grow.source, grow.preset = "PRESET", preset.name
    if is_near:  # as for a close shot; copies of leaves keep large crowns within memory
        grow.detail, grow.instance_leaves = "HIGH", preset.group in ("Trees and shrubs", "Studies")
    bpy.ops.plant_dynamics.grow()
    plant = bpy.context.object
    bpy.ops.plant_dynamics.pose_at_rest()
    studio.use_cycles(scene, studio.RenderQuality())
    scene.render.threads_mode, scene.render.threads = "FIXED", threads

    seen = studio.world_points([part for part in plant.children_recursive if part.type == "MESH"], every=3)
    extent = float(np.ptp(seen, axis=0).max())
    roots = np.array([bone.head_local for bone in plant.data.bones if bone.parent is None])
    # stems stand on the upper part of the heap, which falls off to its edge
    radius = 1.4 * float(np.hypot(roots[:, 0], roots[:, 1]).max()) + 0.08 * extent
    studio.add_soil_patch(scene, radius)
    studio.add_backdrop(scene, extent, -studio.SOIL_RISE * radius)
    studio.light_softly(scene, (seen.min(axis=0) + seen.max(axis=0)) / 2, extent)
    ground = radius * np.array([[-1.0, 0, 0], [1, 0, 0], [0, -1, -0.1]])
    return Staged(preset, plant, seen, ground, np.array([[0.0, -radius, -0.09 * extent]]))


def look_at(staged: Staged, size: tuple[int, int], titled: bool, near: float = 0.0, organ: str = "") -> None:
    """Have a camera see the plant in a picture of so many pixels, from `near` metres if that is not 0, or all of it."""
    import bpy

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    scene = bpy.context.scene
    if scene.camera is not None:  # with its label
        bpy.data.batch_remove([scene.camera, *scene.camera.children])
    scene.render.resolution_x, scene.render.resolution_y = size
    parts = [staged.seen, staged.ground, *([staged.below] if titled else [])]  # with room for the title
    elevation = ELEVATION.get(staged.preset.name, 7.0)
    camera = studio.add_camera(scene, np.concatenate(parts), AZIMUTH, elevation, margin=0.04)
    if near:
        step_near(camera, staged.plant, near, organ)
    if titled:
        studio.add_label(scene, f"{staged.preset.title}, {staged.seen[:, 2].max():.2g} m", 0.93, (0.03, 0.035))


def take(still: Path, samples: int, by_eevee: bool) -> None:
    """Render what the camera sees, by Cycles with so many samples."""
    import bpy

    scene, fine = bpy.context.scene, FINE if by_eevee else 1
    own = bpy.types.RenderSettings.bl_rna.properties["engine"].enum_items.keys()  # Cycles is an add-on
    eevee = next(name for name in own if name.startswith("BLENDER_EEVEE"))
    scene.render.engine = eevee if by_eevee else "CYCLES"
    scene.cycles.samples, scene.eevee.taa_render_samples = samples, 1
    scene.render.resolution_percentage = 100 * fine
    scene.render.filepath = str(still)
    scene.render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)
    if by_eevee:
        pictures = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures")
        light = pictures.read_pixels(still) ** GAMMA
        height, width = light.shape[0] // fine, light.shape[1] // fine
        pictures.save_pixels(light.reshape(height, fine, width, fine, 4).mean(axis=(1, 3)) ** (1.0 / GAMMA), still)


def step_near(camera, plant, near: float, organ: str) -> None:
    """Move the camera to `near` metres before one of the plant's organs that nothing hides, in the same direction: of
    this kind, else a flower, else a fruit, else a leaf, else a stem; `foot` is where the plant leaves the ground."""
    bones = {kind: [] for kind in ("flower", "fruit", "leaf", "stem")}
    for bone in plant.pose.bones:
        bones.setdefault(bone.bone.plant_dynamics.organ, []).append(0.5 * (bone.head + bone.tail))
    kinds = [organ] if organ else ["flower", "fruit", "leaf", "stem"]
    found = [np.array(bones[kind]) for kind in kinds if bones.get(kind)] if organ != "foot" else [FOOT]
    every = np.array([place for places in bones.values() for place in places])
    axes = np.array(camera.matrix_world.to_3x3())
    best = [best_first(places, axes, near) for places in found]
    seen = next(filter(None, (seen_first(ranked, near * axes[:, 2], every) for ranked in best)), best[0])
    place = max(seen[:MOST_LOOKED_AT], key=lambda one: share_lit(one, near, axes))
    camera.matrix_world.translation = (place + near * axes[:, 2]).tolist()
    camera.data.lens = NEAR_LENS
    camera.data.clip_start, camera.data.clip_end = 0.01 * near, 100.0


def best_first(places: np.ndarray, axes: np.ndarray, near: float) -> np.ndarray:
    """Of places (n, 3) those that stand in front, as the camera's axes go, first the one with the most others about."""
    front = places[places @ axes[:, 2] >= np.quantile(places @ axes[:, 2], 0.97 if len(places) > 40 else 0.4)]
    about = np.exp(-(np.linalg.norm(front[:, None] - places[None], axis=2) ** 2) / (2 * (0.2 * near) ** 2)).sum(axis=1)
    return front[np.argsort(-about)]


def seen_first(ranked: np.ndarray, away: np.ndarray, every: np.ndarray) -> list[np.ndarray]:
    """Of places those before which nothing stands, seen from so far away, then those before which only something stands
    that is nearer to them than to all places (n, 3) of other organs: petals are of the flower that they hide."""
    before = [what_hides(place, away) for place in ranked]
    seen = [place for place, hit in zip(ranked, before, strict=True) if hit is None]
    return seen + [
        place
        for place, hit in zip(ranked, before, strict=True)
        if hit is not None and np.linalg.norm(place - hit) <= np.linalg.norm(every - hit, axis=1).min()
    ]


def share_lit(place: np.ndarray, near: float, axes: np.ndarray) -> float:
    """Of a picture that is taken so near before a place the share in which something is in focus and the key light
    reaches it."""
    import bpy

    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    key, eye = np.array(bpy.data.objects["Key"].matrix_world.translation), place + near * axes[:, 2]
    half, lit = 0.5 * SEEN_WIDE * near, []
    for x, y in itertools.product(half * GRID, 1.25 * half * GRID):
        look = place + x * axes[:, 0] + y * axes[:, 1] - eye
        hit, where, *_ = scene.ray_cast(graph, eye.tolist(), look.tolist(), distance=1.3 * near)
        if sharp := hit and np.linalg.norm(np.array(where) - eye) > 0.7 * near:
            to_key = (key - np.array(where)) / np.linalg.norm(key - np.array(where))
            sharp = not scene.ray_cast(graph, (np.array(where) + OFF * to_key).tolist(), to_key.tolist())[0]
        lit.append(sharp)
    return float(np.mean(lit))


def what_hides(place: np.ndarray, away: np.ndarray) -> np.ndarray | None:
    """Where something stands before a place, seen from so far away, but for what is just about it."""
    import bpy

    graph = bpy.context.evaluated_depsgraph_get()
    distance = float(np.linalg.norm(away))
    look = (-away / distance).tolist()
    hit, where, *_ = bpy.context.scene.ray_cast(graph, (place + away).tolist(), look, distance=0.93 * distance)
    return np.array(where) if hit else None


def save_jpeg(pixels: np.ndarray, path: Path, quality: int = 88) -> None:
    """Write rows of pixels to a file."""
    import bpy

    height, width = pixels.shape[:2]
    image = bpy.data.images.new("Sheet", width, height)
    image.colorspace_settings.name = "Non-Color"
    image.pixels.foreach_set(np.ascontiguousarray(pixels, dtype=np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "JPEG"
    image.save(quality=quality)


if __name__ == "__main__":
    main()
