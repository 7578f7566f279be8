# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the frames of the documentation's loops. Needs `bpy`; started by tools/loops.sh as

    python tools/render_loops.py FRAMES [NAME ...]

Wind loops and keys go round; the second time round is rendered, when what began the motion has died away.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from demo import EXTENSION
from enabled_extension import enabled_extension

ROUNDS = 3

#: The ball's radius (m), and by the frames of a round where it is along x and z (m): it flies through the plant and
#: comes back far above it.
BALL = 0.055
FLIGHT = ((0, -0.9, 0.33), (3, -0.9, 0.33), (27, 0.9, 0.33), (34, 0.9, 2.0), (58, -0.9, 2.0), (71, -0.9, 0.33))
#: The head: frames of a round and degrees to which it has turned; the strand of hair as tools/follow_strips.py has it.
TURNS = ((0, 0.0), (4, 0.0), (16, 70.0), (36, 70.0), (48, 0.0))


@dataclass(frozen=True)
class Loop:
    """plants: preset, place (m) and seed, or make: what makes another armature that moves, of the frames of a round;
    size of the picture (pixels); speed of the wind (m/s); act: what happens to each plant."""

    plants: tuple[tuple[str, tuple[float, float], int], ...]
    frames: int
    size: tuple[int, int]
    speed: float = 0.0
    act: Callable[[Any, int], None] | None = None
    make: Callable[[int], Any] | None = None
    pot: bool = False
    azimuth: float = 8.0
    elevation: float = 6.0
    samples: int = 10


def push_to_and_fro(plant: Any, frames: int) -> None:
    """To the right and stopped, and back half a round later."""
    for first in range(1, ROUNDS * frames + 1, frames):
        for frame, shift in ((0, -0.17), (5, 0.17), (frames // 2, 0.17), (frames // 2 + 5, -0.17)):
            plant.location.x = shift
            plant.keyframe_insert("location", index=0, frame=first + frame)


def hit_by_a_ball(plant: Any, frames: int) -> None:
    """A ball flies through the plant's leaves, once a round."""
    import bpy
    from demo_contact_cases import chosen, paint  # needs the extension

    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=BALL)
    ball = bpy.context.object
    bpy.ops.object.shade_smooth()
    paint(ball, "Ball", (0.6, 0.06, 0.03))
    chosen(plant, ball)
    bpy.ops.plant_dynamics.make_collider()
    for first in range(1, ROUNDS * frames + 1, frames):
        for frame, x, z in FLIGHT:
            ball.location = (x, 0.0, z)
            ball.keyframe_insert("location", frame=first + frame)


def head_that_turns(frames: int) -> Any:
    """A head with a ponytail, to one side and back."""
    import bpy
    import follow_strips
    from mathutils import Vector

    place, way, length, thick, thin = follow_strips.PARTS["Hair"]
    begin = Vector((0.0, 0.0, 1.5)) + Vector(place)
    step = Vector(way).normalized() * length / follow_strips.PIECES
    joints = [begin + number * step for number in range(follow_strips.PIECES + 1)]
    rig = follow_strips.head_with(joints, thick)
    head = rig.pose.bones["Head"]
    rig.animation_data_clear()
    for first in range(1, ROUNDS * frames + 1, frames):
        for frame, degrees in TURNS:
            head.rotation_euler = (0.0, np.radians(degrees), 0.0)
            head.keyframe_insert("rotation_euler", frame=first + frame)
    bpy.ops.plant_dynamics.make_dynamic(bones="SELECTED")
    bpy.ops.plant_dynamics.preset_apply(kind="plant", preset="Hair")
    bpy.ops.object.mode_set(mode="OBJECT")
    follow_strips.add_skins(rig, joints, thick, thin)
    return rig


LOOPS = {
    "ball": Loop((("broad_leaf", (0.0, 0.0), 2),), 72, (300, 260), act=hit_by_a_ball, pot=True),
    "birch": Loop((("silver_birch", (0.0, 0.0), 0),), 72, (300, 420), speed=7.0),
    "flowers": Loop(
        (("tulip", (-0.27, 0.0), 0), ("tulip", (-0.17, 0.12), 1), ("daffodil", (0.0, 0.03), 0),
         ("lavender", (0.34, 0.08), 0)), 72, (520, 300), speed=4.5,
    ),
    "ponytail": Loop((), 72, (300, 320), make=head_that_turns, azimuth=150.0, elevation=12.0),
    "pot": Loop((("potted_plant", (-0.17, 0.0), 0),), 60, (360, 300), act=push_to_and_fro, pot=True),
}  # fmt: skip


def main() -> None:
    frames, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(LOOPS)
    with enabled_extension():
        for name in names:
            render(LOOPS[name], frames / name)


def render(loop: Loop, folder: Path) -> None:
    """Grow the plants, play all rounds, bake the second one and render it."""
    import bpy

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.preferences.edit.keyframe_new_interpolation_type = "LINEAR"
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, ROUNDS * loop.frames
    wind = scene.plant_dynamics.wind
    wind.use_air = True
    if loop.speed:
        wind.source, wind.speed, wind.turbulence_intensity = "GUSTS", loop.speed, 0.3
        wind.length_scale, wind.use_loop, wind.loop_frames = 6.0, True, loop.frames
    plants = [loop.make(loop.frames)] if loop.make else []
    for preset, place, seed in loop.plants:
        grow = scene.plant_dynamics
        grow.source, grow.preset, grow.pot, grow.seed = "PRESET", preset, loop.pot, seed
        scene.cursor.location = (*place, 0.0)
        bpy.ops.plant_dynamics.grow()
        plants.append(bpy.context.object)
        if loop.act:
            loop.act(plants[-1], loop.frames)
    for plant in plants:
        bpy.context.view_layer.objects.active = plant
        bpy.ops.plant_dynamics.bake(frame_range="CUSTOM", frame_start=loop.frames + 1, frame_end=2 * loop.frames)

    seen = []
    for frame in range(loop.frames + 1, 2 * loop.frames + 1, 6):
        scene.frame_set(frame)
        meshes = [part for plant in plants for part in plant.children_recursive if part.type == "MESH"]
        seen.append(studio.world_points(meshes, every=5))
    points = np.concatenate(seen)
    size = float(np.ptp(seen[0], axis=0).max())
    if loop.plants:
        studio.add_backdrop(scene, size)
    studio.light_softly(scene, points.mean(axis=0), size)
    studio.use_cycles(scene, studio.RenderQuality(*loop.size, loop.samples))
    studio.add_camera(scene, points, loop.azimuth, loop.elevation, margin=0.05)
    scene.frame_start, scene.frame_end = loop.frames + 1, 2 * loop.frames
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = f"{folder}/"
    bpy.ops.render.render(animation=True)


if __name__ == "__main__":
    main()
