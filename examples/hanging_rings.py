# SPDX-License-Identifier: GPL-3.0-or-later
"""Rings that hang in each other and swing, as keyed objects: a mechanism of 14 coordinates (docs/mechanisms.md).

    blender --background --python examples/hanging_rings.py -- FILE.blend

saves them there. The extension need not be enabled.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from solver import mechanisms as m

RINGS, LARGE, SMALL = 4, 1.0, 0.2  # m
FRAMES, RATE = 240, 24

#: The first ring's own x, y, z along the world's x, z, -y.
UPRIGHT = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


def chain() -> m.Mechanism:
    """The first ring on a universal joint at its top, each other one by its tube on the tube above."""
    ring = m.Torus(LARGE, SMALL)
    link = m.surface_on_surface(ring, m.Flipped(ring))
    inertia = 3.0 * np.array([0.53, 0.53, 1.03])
    centre = np.eye(4)
    centre[1, 3] = -LARGE
    bodies = [m.Body(m.universal(), 3.0, (0, -LARGE, 0), inertia, placement=UPRIGHT)]
    for i in range(1, RINGS):
        bodies.append(m.Body(link, 3.0, inertia=inertia, parent=i - 1, placement=centre if i == 1 else np.eye(4)))
    return m.Mechanism(bodies)


def begin(system: m.Mechanism) -> np.ndarray:
    """Drawn aside by half a radian at the top; every ring sits in the lowest part of the one above."""
    hangs = [-0.5 * np.pi, np.pi, np.pi, 0.5 * np.pi]
    return np.array([0.5, 0.3, *hangs * (RINGS - 1)])


def objects() -> list[bpy.types.Object]:
    """A torus for each ring, about its own z."""
    made = []
    for i in range(RINGS):
        bpy.ops.mesh.primitive_torus_add(major_radius=LARGE, minor_radius=SMALL, major_segments=96, minor_segments=24)
        ring = bpy.context.object
        ring.name, ring.rotation_mode = f"Ring {i + 1}", "QUATERNION"
        made.append(ring)
    return made


def key(rings: list[bpy.types.Object], places: np.ndarray, frame: int) -> None:
    """Keys of all rings at a frame; the first one's body hangs by its top."""
    to_centre = np.eye(4)
    to_centre[1, 3] = -LARGE
    for i, (ring, W) in enumerate(zip(rings, places, strict=True)):
        place, turn, _ = Matrix((W @ to_centre if i == 0 else W).tolist()).decompose()
        turn.make_compatible(ring.rotation_quaternion)
        ring.location, ring.rotation_quaternion = place, turn
        ring.keyframe_insert("location", frame=frame)
        ring.keyframe_insert("rotation_quaternion", frame=frame)


bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
scene = bpy.context.scene
scene.frame_start, scene.frame_end, scene.render.fps = 1, FRAMES, RATE
system = chain()
run, rings = m.Run(system, begin(system)), objects()
for frame in range(1, FRAMES + 1):
    key(rings, system.placed(run.q), frame)
    run.advance(1 / RATE)
bpy.ops.wm.save_as_mainfile(filepath=str(Path(sys.argv[-1]).resolve()))
