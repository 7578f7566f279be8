# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Play in Blender while a walking figure, a mesh that an armature deforms, treads through reeds.

    .venv-blender-4.5/bin/python benchmarks/walking.py [--repeats N] [--write docs/benchmarks-blender.md]

Of each frame the shortest time of all repeats is taken, and the whole walk is told by the middle and the longest frame.
"Handler": all that the add-on does at a frame; "reading": what of it is spent in making colliders of the figure;
"solver": what in the solver's Simulation.
"""

import math
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import in_blender
from benchmarks.live_speed import Clock

FRAMES, FIRST = 72, 9
REEDS, BONES, TALL = 50, 20, 1.2
ASKED = 15.0

#: Bones of the figure: head and tail (m); it walks along x.
FIGURE = {
    "Body": ((0.0, 0.0, 0.9), (0.0, 0.0, 1.6)),
    "Thigh.L": ((0.0, 0.1, 0.9), (0.0, 0.1, 0.5)),
    "Shin.L": ((0.0, 0.1, 0.5), (0.0, 0.1, 0.04)),
    "Thigh.R": ((0.0, -0.1, 0.9), (0.0, -0.1, 0.5)),
    "Shin.R": ((0.0, -0.1, 0.5), (0.0, -0.1, 0.04)),
}

#: Its tubes: across (m), from which height to which (m), radius (m) there, rows, and bones from below to above, which
#: share what is within KNEE (m) of their joint. Every row but one has 2 AROUND triangles: 20 000 in all.
TUBES = (
    (0.0, 0.8, 1.65, 0.17, 0.15, 40, ("Body",)),
    (0.1, 0.02, 0.95, 0.045, 0.065, 80, ("Shin.L", "Thigh.L")),
    (-0.1, 0.02, 0.95, 0.045, 0.065, 80, ("Shin.R", "Thigh.R")),
)
AROUND, KNEE = 50, 0.08


def tube(across: float, low: float, high: float, thin: float, thick: float, rows: int) -> tuple[list[Any], list[Any]]:
    """Vertices and triangles of a closed tube upright, round at its ends."""
    vertices, faces = [], []
    for row in range(rows):
        share = (row + 0.5) / rows
        wide = (thin + share * (thick - thin)) * math.sqrt(1.0 - (2.0 * share - 1.0) ** 8)
        for column in range(AROUND):
            turn = 2.0 * math.pi * column / AROUND
            vertices.append((wide * math.cos(turn), across + wide * math.sin(turn), low + share * (high - low)))
    for row in range(rows - 1):
        for column in range(AROUND):
            a, b = row * AROUND + column, row * AROUND + (column + 1) % AROUND
            faces += [(a, b, b + AROUND), (a, b + AROUND, a + AROUND)]
    for ring, height in ((0, low), ((rows - 1) * AROUND, high)):
        middle = len(vertices)
        vertices.append((0.0, across, height))
        for column in range(AROUND):
            pair = ring + column, ring + (column + 1) % AROUND
            faces.append((middle, *(pair if ring else reversed(pair))))
    return vertices, faces


def figure(scene: Any) -> Any:
    """A mesh of 20 000 triangles that an armature lets walk through x = -1.2 to 1.2 m."""
    import bpy

    armature = bpy.data.armatures.new("Walker")
    rig = bpy.data.objects.new("Walker", armature)
    scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (head, tail) in FIGURE.items():
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        if name.startswith("Shin"):
            bone.parent = armature.edit_bones[name.replace("Shin", "Thigh")]
    bpy.ops.object.mode_set(mode="OBJECT")
    vertices, faces, weights = [], [], []
    for across, low, high, thin, thick, rows, bones in TUBES:
        own, between = tube(across, low, high, thin, thick, rows)
        faces += [[corner + len(vertices) for corner in face] for face in between]
        for i, (_, _, z) in enumerate(own, len(vertices)):
            above = min(max((z - FIGURE[bones[0]][0][2] + KNEE) / (2.0 * KNEE), 0.0), 1.0) if len(bones) > 1 else 0.0
            weights += [(bones[0], i, 1.0 - above), (bones[-1], i, above)]
        vertices += own
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(vertices, [], faces)
    body = bpy.data.objects.new("Figure", mesh)
    body.parent = rig
    scene.collection.objects.link(body)
    groups = {name: body.vertex_groups.new(name=name) for name in FIGURE}
    for name, i, share in weights:
        groups[name].add([i], share, "ADD")
    body.modifiers.new("Armature", "ARMATURE").object = rig
    body.modifiers.new("Collision", "COLLISION")
    for frame in range(1, FRAMES + 1, 6):
        rig.location.x = -1.2 + 2.4 * (frame - 1) / (FRAMES - 1)
        rig.keyframe_insert("location", frame=frame)
        swing = 0.5 * math.sin(math.pi * (frame - 1) / 12.0)
        for side, way in (("L", 1.0), ("R", -1.0)):
            for part, turn in (("Thigh", way * swing), ("Shin", max(0.0, -way * swing))):
                bone = rig.pose.bones[f"{part}.{side}"]
                bone.rotation_mode = "XYZ"
                bone.rotation_euler.z = turn
                bone.keyframe_insert("rotation_euler", frame=frame)
    return body


def reeds(scene: Any) -> list[Any]:
    """One plant of reeds of 20 bones, in ten rows of five."""
    import bpy

    armature = bpy.data.armatures.new("Reeds")
    obj = bpy.data.objects.new("Reeds", armature)
    scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    for reed in range(REEDS):
        x, y, above = 0.16 * (reed // 5) - 0.72, 0.11 * (reed % 5) - 0.22 + 0.02 * (reed // 5 % 2), None
        for i in range(BONES):
            bone = armature.edit_bones.new(f"Reed.{reed}.{i}")
            bone.head, bone.tail = (x, y, TALL * i / BONES), (x, y, TALL * (i + 1) / BONES)
            bone.head_radius = bone.tail_radius = 0.004 * (1.0 - 0.7 * i / BONES)
            bone.parent, above = above, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    return [obj]


def table(repeats: int) -> list[str]:
    import bpy

    module = in_blender.enable()
    scene = in_blender.empty_scene(FRAMES)
    plants, body = reeds(scene), figure(scene)
    live = module("plant_dynamics_addon.dynamics.live.live")
    handlers = module("plant_dynamics_addon.dynamics.live.handlers")
    colliders = module("plant_dynamics_addon.dynamics.surroundings.colliders")
    sessions = module("plant_dynamics_addon.dynamics.motion.sessions")
    simulation = module("solver").Simulation
    scene.frame_set(1)
    for obj in plants:
        obj.plant_dynamics.contact.collide_with = "SCENE"
        live.go_live(obj)
    clocks = {name: Clock() for name in ("handler", "reading", "solver", "frame")}
    clocks["handler"].watch(handlers, "update_live")
    clocks["reading"].watch(colliders, "_read")
    for name in ("advance", "rod_orientations", "snapshot"):
        clocks["solver"].watch(simulation, name)
    best = [dict.fromkeys(clocks, 1e9) for _ in range(FRAMES + 1)]
    for _ in range(repeats):
        for obj in plants:
            sessions.close_session(obj)
        for frame in range(1, FRAMES + 1):
            for clock in clocks.values():
                clock.take()
            begin = perf_counter()
            scene.frame_set(frame)
            whole = perf_counter() - begin
            for name, clock in clocks.items():
                best[frame][name] = min(best[frame][name], whole if name == "frame" else clock.take())
    for clock in clocks.values():
        clock.stop()
    shown = best[FIRST:]
    triangles = len(body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.loop_triangles)
    lines = [
        f"## A figure walks through reeds, Blender {bpy.app.version_string}\n",
        f"{triangles} triangles that an armature deforms, {REEDS} reeds of {BONES} bones; milliseconds a frame of"
        f" 1/24 s, each the shortest of {repeats}.\n",
        "| | handler | of that reading the figure | of that the solver | whole frame | frames a second of the handler |"
        " asked for |",
        "|" + " --- |" * 7,
    ]
    for what, of in (("middle frame", lambda column: sorted(column)[len(column) // 2]), ("longest frame", max)):
        times = {name: of([frame[name] for frame in shown]) for name in ("handler", "reading", "solver", "frame")}
        cells = [f"{1e3 * seconds:.1f}" for seconds in times.values()]
        lines.append(f"| {what} | {' | '.join(cells)} | {1 / times['handler']:.1f} | {ASKED:.0f} |")
    status = sorted({str(obj.plant_dynamics.get("status", "")) for obj in plants})
    print(status, file=sys.stderr)
    return lines


if __name__ == "__main__":
    in_blender.main(__doc__, 3, table)
