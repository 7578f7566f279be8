# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Play in Blender beside Wiggle 2: strands of bones over a ball that moves, in one run and in turns.

    .venv-blender-4.5/bin/python benchmarks/wiggle.py --beside FILE [--repeats N] [--write docs/benchmarks-blender.md]

FILE: wiggle_2.py of its repository, https://github.com/shteeve3d/blender-wiggle-2. It is imported from where it is and
nothing of it is kept. Both have the same bones, radii, ball and frames, and their own settings else. "Handlers": all
that either add-on does at a frame, by the wall clock, of each frame the shortest of all repeats.
"""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import in_blender
from benchmarks.live_speed import Clock

STRANDS, BONES, LENGTH, RADIUS, APART = 10, 20, 1.0, 0.006, 0.04
FRAMES, FIRST = 72, 3
ASKED = 1 / 10

#: Balls: radius (m), height (m), and place along x (m) at a frame. The fast one goes at 10 m/s and is before
#: the strands at one frame and beyond them at the next.
SLOW = 0.2, -0.6, lambda frame: -0.5 * float(np.cos(2.0 * np.pi * (frame - 1) / 48))
FAST = 0.15, -0.6, lambda frame: -0.2 + 10.0 / 24.0 * (frame - 6)

#: A strand that a ball went across has been moved by more than this (m), or the ball went through it.
MOVED = 0.01


def strands(scene: Any) -> Any:
    """An armature of straight strands that hang side by side along y."""
    import bpy

    armature = bpy.data.armatures.new("Strands")
    obj = bpy.data.objects.new("Strands", armature)
    scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    for strand in range(STRANDS):
        y, above = APART * (strand - 0.5 * (STRANDS - 1)), None
        for i in range(BONES):
            bone = armature.edit_bones.new(f"Strand.{strand}.{i}")
            bone.head, bone.tail = (0.0, y, -LENGTH * i / BONES), (0.0, y, -LENGTH * (i + 1) / BONES)
            bone.head_radius = bone.tail_radius = RADIUS
            bone.parent, bone.use_connect, above = above, above is not None, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


def ball(moves: tuple[float, float, Callable[[int], float]]) -> Any:
    """A mesh that both collide with, keyed at every frame."""
    import bpy

    radius, height, at = moves
    bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, radius=radius)
    obj = bpy.context.object
    obj.modifiers.new("Collision", "COLLISION")
    for frame in range(1, FRAMES + 1):
        obj.location = (at(frame), 0.0, height)
        obj.keyframe_insert("location", frame=frame)
    return obj


def ours(module: Callable[[str], Any], scene: Any, obj: Any) -> None:
    """Let the strands be a plant that collides with the scene."""
    import bpy

    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    obj.plant_dynamics.contact.collide_with = "SCENE"
    module("plant_dynamics_addon.dynamics.live.live").go_live(obj)


def theirs(scene: Any, obj: Any, thing: Any) -> None:
    """Let every bone's tail wiggle and collide with the thing."""
    import bpy

    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="SELECT")
    bone = obj.pose.bones[0]
    scene.wiggle_enable = True
    # Its settings are copied to all bones that are selected.
    bone.wiggle_tail = True
    bone.wiggle_collider = thing
    bone.wiggle_radius = RADIUS
    assert all(one.wiggle_tail and one.wiggle_collider == thing for one in obj.pose.bones)
    # Where a bone has no collection it takes the scene's own, which Blender refuses, and its handler ends there.
    holds = bpy.data.collections.new("Things")
    for one in obj.pose.bones:
        one.wiggle.collision_col = holds
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.wiggle.reset()


class Played:
    """What a play of one ball has shown: handlers' time of each frame (s), how deep (m) the ball was in a bone at most,
    and through how many strands that it went across it went."""

    def __init__(self) -> None:
        self.times = np.full(FRAMES + 1, np.inf)
        self.whole = np.full(FRAMES + 1, np.inf)
        self.deepest, self.through = 0.0, 0

    def play(self, scene: Any, obj: Any, moves: tuple[float, float, Callable[[int], float]], clock: Clock) -> None:
        radius, height, at = moves
        begun, farthest, deepest = _points(obj), np.zeros(STRANDS), 0.0
        crossed = at(1) < 0.0 < at(FRAMES)
        for frame in range(1, FRAMES + 1):
            clock.take()
            begin = perf_counter()
            scene.frame_set(frame)
            self.whole[frame] = min(self.whole[frame], perf_counter() - begin)
            self.times[frame] = min(self.times[frame], clock.take())
            points = _points(obj)
            away = np.linalg.norm(points - (at(frame), 0.0, height), axis=-1)
            deepest = max(deepest, radius + RADIUS - float(away.min()))
            farthest = np.maximum(farthest, np.linalg.norm(points - begun, axis=-1).max(axis=1))
        across = np.abs(begun[:, 0, 1]) < radius if crossed else np.zeros(STRANDS, dtype=bool)
        self.deepest, self.through = deepest, int((across & (farthest < MOVED)).sum())


def _points(obj: Any) -> np.ndarray:
    """(strands, k, 3) m along the bones."""
    heads = np.array([bone.head for bone in obj.pose.bones]).reshape(STRANDS, BONES, 1, 3)
    tails = np.array([bone.tail for bone in obj.pose.bones]).reshape(STRANDS, BONES, 1, 3)
    share = np.linspace(0.0, 1.0, 11)[:, None]
    return (heads + share * (tails - heads)).reshape(STRANDS, -1, 3)


def imported(file: Path, clock: Clock) -> None:
    """Register the other add-on, its handlers timed."""
    import bpy

    spec = importlib.util.spec_from_file_location("wiggle_2", file)
    assert spec is not None
    assert spec.loader is not None
    other = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = other
    spec.loader.exec_module(other)
    clock.watch(other, "wiggle_pre")
    clock.watch(other, "wiggle_post")
    before, after = other.wiggle_pre, other.wiggle_post
    other.wiggle_pre = bpy.app.handlers.persistent(lambda scene: before(scene))  # Blender counts the arguments
    other.wiggle_post = bpy.app.handlers.persistent(lambda scene, graph: after(scene, graph))
    other.register()


def table(file: Path, repeats: int) -> list[str]:
    import bpy

    module = in_blender.enable()
    clocks = {"here": Clock(), "Wiggle 2": Clock()}
    clocks["here"].watch(module("plant_dynamics_addon.dynamics.live.handlers"), "update_live")
    imported(file, clocks["Wiggle 2"])
    found = {(name, moves[0]): Played() for name in clocks for moves in (SLOW, FAST)}
    for _ in range(repeats):
        for moves in (SLOW, FAST):
            for name, clock in clocks.items():
                scene = in_blender.empty_scene(FRAMES)
                thing = ball(moves)
                obj = strands(scene)
                scene.frame_set(1)
                if name == "here":
                    ours(module, scene, obj)
                else:
                    theirs(scene, obj, thing)
                found[name, moves[0]].play(scene, obj, moves, clock)
    lines = [
        f"## Beside Wiggle 2, Blender {bpy.app.version_string}\n",
        f"{STRANDS} strands of {BONES} bones and a ball of {len(thing.data.polygons)} faces; milliseconds a frame of"
        f" 1/24 s, each the shortest of {repeats}, in turns.\n",
        "| ball | handlers here | handlers of Wiggle 2 | ratio, middle (asked) | ratio, longest | whole frame here | of"
        " Wiggle 2 | deepest in a bone here | with Wiggle 2 | strands gone through here | with Wiggle 2 |",
        "|" + " --- |" * 11,
    ]
    for what, (radius, _, _) in (("to and fro, at up to 1.6 m/s", SLOW), ("across once, at 10 m/s", FAST)):
        own, other = found["here", radius], found["Wiggle 2", radius]
        middle, longest = (
            [float(of(one.times[FIRST:])) for one in (own, other)] for of in (np.median, np.max)
        )  # fmt: skip
        frames = [float(np.median(one.whole[FIRST:])) for one in (own, other)]
        ratio = middle[0] / middle[1]
        cells = [
            what, *(f"{1e3 * a:.2f}, longest {1e3 * b:.2f}" for a, b in zip(middle, longest, strict=True)),
            f"1/{1 / ratio:.1f} (1/{1 / ASKED:.0f})" + ("" if ratio <= ASKED else " — **short**"),
            f"1/{longest[1] / longest[0]:.1f}", *(f"{1e3 * one:.2f}" for one in frames),
            *(f"{1e3 * max(one.deepest, 0.0):.2f} mm" for one in (own, other)),
            *(str(one.through) for one in (own, other)),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    lines.append(
        "\nHandlers: all that an add-on does at a frame, by the wall clock; middle of the frames, and the longest."
        f" Deepest: of points along the bones' axes, {1e3 * RADIUS:.0f} mm thick, at frames. Gone through: strands that"
        f" the ball was once before and then beyond, and that it has not moved by {100 * MOVED:.0f} cm."
    )
    return lines


if __name__ == "__main__":
    place = sys.argv.index("--beside") if "--beside" in sys.argv else len(sys.argv)
    given = sys.argv[place : place + 2]
    del sys.argv[place : place + 2]
    if len(given) != 2:
        raise SystemExit("--beside FILE is needed: wiggle_2.py of a copy of its repository")
    in_blender.main(__doc__, 3, lambda repeats: table(Path(given[1]), repeats))
