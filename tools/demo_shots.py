# SPDX-License-Identifier: GPL-3.0-or-later
"""From a case to its .blend, its stills and its movie."""

import argparse
import importlib
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import bpy
import numpy as np
from demo_cases import CASES, Case
from demo_contact_cases import SOIL_RADIUS

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
studio = importlib.import_module(f"{ADDON}.studio.studio")
output = importlib.import_module(f"{ADDON}.studio.output")
pictures = importlib.import_module(f"{ADDON}.studio.pictures")
read_pixels = pictures.read_pixels
baking = importlib.import_module(f"{ADDON}.baking.bake")
warm_up = importlib.import_module(f"{ADDON}.dynamics.kernels.warm_up").warm_up

Say = Callable[[str], None]
MOVIE_CASE = "2_pushed_pot"
MOVIE_SIZE = 384, 288
MOVIE_SAMPLES = 4


def run(options: argparse.Namespace, say: Say) -> None:
    """All cases, then the sheet and the movie."""
    warm_up()
    say("The solver is ready")
    bpy.context.preferences.edit.keyframe_new_interpolation_type = "LINEAR"
    chosen = [case for case in CASES if options.only in case.name]
    if not chosen:
        raise ValueError(f"no case has '{options.only}' in its name: {', '.join(case.name for case in CASES)}")
    rows = []
    for number, case in enumerate(chosen, 1):
        say(f"[{number}/{len(chosen)}] {case.title}")
        plant = act_out(case, say)
        motion = dress(case, plant, options)
        blend = options.output / f"{case.name}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(blend), compress=True)
        if not options.no_render:
            rows.append(render_stills(case, options.output / "stills", say))
        if case.name == MOVIE_CASE and not (options.no_render or options.no_movie):
            render_movie(case, motion, options.output / "movie.mp4", say)
    if rows:
        save_sheet(rows, options.output / "contact_sheet.png")
        say("Contact sheet saved")


def act_out(case: Case, say: Say) -> bpy.types.Object:
    """Grow the plant in an empty file, let the case happen to it, and bake the motion."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, case.last_frame
    if isinstance(case.preset, str):
        grow = scene.plant_dynamics
        grow.source, grow.preset, grow.pot, grow.seed = "PRESET", case.preset, case.pot, case.seed
        bpy.ops.plant_dynamics.grow()
        plant = bpy.context.object
    else:
        plant = case.preset()
    case.act(plant)

    begin = perf_counter()
    for _ in baking.bake(bpy.context, plant, baking.BakeOptions(1, case.last_frame)):
        pass
    seconds, played = perf_counter() - begin, (case.last_frame - 1) * scene.render.fps_base / scene.render.fps
    say(f"      {len(plant.data.bones)} bones, {played:.1f} s of motion simulated and baked in {seconds:.2f} s")
    return plant


def plant_objects(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Everything that is seen of a grown plant: its mesh, pot and soil."""
    return [child for child in armature.children_recursive if child.type == "MESH"]


def dress(case: Case, plant: bpy.types.Object, options: argparse.Namespace) -> np.ndarray:
    """Floor, light and a camera that sees the whole motion; returns points (n, 3) of all that is seen of it."""
    scene = bpy.context.scene
    visible = plant_objects(plant)
    seen = []
    for frame in np.unique(np.linspace(scene.frame_start, scene.frame_end, 25).astype(int)):
        scene.frame_set(int(frame))
        seen.append(studio.world_points(visible, every=7))
    points = np.concatenate(seen)
    size = float(np.ptp(seen[0], axis=0).max())
    if not case.pot and case.soil:
        radius = SOIL_RADIUS * size
        studio.add_soil_patch(scene, radius, plant.location)
        points = np.concatenate([points, radius * np.array([[-1.0, 0, 0], [1, 0, 0], [0, -1, 0]])])
        studio.add_backdrop(scene, size, -studio.SOIL_RISE * radius)
    else:
        studio.add_backdrop(scene, size)
    studio.light_softly(scene, (points.min(axis=0) + points.max(axis=0)) / 2, size)
    studio.use_cycles(scene, studio.RenderQuality(options.size, options.size, options.samples))
    studio.add_camera(scene, points, case.azimuth, case.elevation, margin=0.09)
    scene.frame_set(scene.frame_start)
    return points


def render_stills(case: Case, folder: Path, say: Say) -> list[np.ndarray]:
    """The case's frames, the first with its title; pixels (height, width, 4), first row at the bottom."""
    folder.mkdir(exist_ok=True)
    scene = bpy.context.scene
    found = []
    for number, frame in enumerate(case.stills):
        scene.frame_set(frame)
        seconds = (frame - scene.frame_start) * scene.render.fps_base / scene.render.fps
        text = f"{case.title}   {seconds:.2f} s" if number == 0 else f"{seconds:.2f} s"
        label = studio.add_label(scene, text, width=0.92)
        path = output.rendered(output.stills(scene, [frame], folder, case.name))[0]
        bpy.data.objects.remove(label)
        found.append(read_pixels(path))
        say(f"      still {number + 1} of {len(case.stills)}: frame {frame}")
    return found


def render_movie(case: Case, motion: np.ndarray, path: Path, say: Say) -> None:
    """The whole motion as an H.264 movie."""
    scene = bpy.context.scene
    studio.use_cycles(scene, studio.RenderQuality(*MOVIE_SIZE, MOVIE_SAMPLES))
    studio.aim(scene, scene.camera, motion, case.azimuth, case.elevation)
    frames = scene.frame_end - scene.frame_start + 1

    def rendered(written: bpy.types.Scene, _: object = None) -> None:
        done = written.frame_current - written.frame_start + 1
        if done % 12 == 0 or done == frames:
            say(f"      movie: {done} of {frames} frames")

    bpy.app.handlers.render_write.append(rendered)
    try:
        with output.movie_settings(scene, path):
            bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.render_write.remove(rendered)


def save_sheet(rows: list[list[np.ndarray]], path: Path) -> None:
    """Rows of pictures of one size, the first row at the top, as one PNG."""
    pictures.save_pixels(pictures.sheet(rows), path)
