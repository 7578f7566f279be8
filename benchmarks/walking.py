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

#: Bones of the figure: head, tail, radius (m), triangles' share; it walks along x.
FIGURE = {
    "Body": ((0.0, 0.0, 0.95), (0.0, 0.0, 1.45), 0.15),
    "Thigh.L": ((0.0, 0.1, 0.9), (0.0, 0.1, 0.5), 0.07),
    "Shin.L": ((0.0, 0.1, 0.5), (0.0, 0.1, 0.07), 0.05),
    "Thigh.R": ((0.0, -0.1, 0.9), (0.0, -0.1, 0.5), 0.07),
    "Shin.R": ((0.0, -0.1, 0.5), (0.0, -0.1, 0.07), 0.05),
}
AROUND, ALONG = 50, 40  # 2 AROUND (ALONG - 1) + 2 AROUND triangles each: 20 000 in all


def figure(scene: Any) -> Any:
    """A mesh of 20 000 triangles that an armature lets walk through x = -1.2 to 1.2 m."""
    import bpy

    armature = bpy.data.armatures.new("Walker")
    rig = bpy.data.objects.new("Walker", armature)
    scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (head, tail, _) in FIGURE.items():
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        if name.startswith("Shin"):
            bone.parent = armature.edit_bones[name.replace("Shin", "Thigh")]
    bpy.ops.object.mode_set(mode="OBJECT")
    vertices, faces, groups = [], [], {}
    for name, (head, tail, radius) in FIGURE.items():
        first = len(vertices)
        length, low = head[2] - tail[2], min(head[2], tail[2])
        for row in range(ALONG):
            angle = math.pi * (row + 0.5) / ALONG
            for column in range(AROUND):
                turn = 2.0 * math.pi * column / AROUND
                wide = radius * math.sin(angle) ** 0.5
                up = low + abs(length) * (0.5 - 0.6 * math.cos(angle))
                vertices.append((head[0] + wide * math.cos(turn), head[1] + wide * math.sin(turn), up))
        for row in range(ALONG - 1):
            for column in range(AROUND):
                a, b = first + row * AROUND + column, first + row * AROUND + (column + 1) % AROUND
                faces += [(a, b, b + AROUND), (a, b + AROUND, a + AROUND)]
        for row, flip in ((0, True), (ALONG - 1, False)):
            middle, ring = len(vertices), first + row * AROUND
            vertices.append((head[0], head[1], sum(vertices[ring + c][2] for c in range(AROUND)) / AROUND))
            for column in range(AROUND):
                pair = ring + column, ring + (column + 1) % AROUND
                faces.append((middle, *(reversed(pair) if flip else pair)))
        groups[name] = list(range(first, len(vertices)))
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(vertices, [], faces)
    body = bpy.data.objects.new("Figure", mesh)
    body.parent = rig
    scene.collection.objects.link(body)
    for name, own in groups.items():
        body.vertex_groups.new(name=name).add(own, 1.0, "REPLACE")
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
                bone.rotation_euler.x = turn
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
    if "--frames" in sys.argv:
        print([round(1e3 * frame["handler"]) for frame in shown])
    status = sorted({str(obj.plant_dynamics.get("status", "")) for obj in plants})
    print(status, file=sys.stderr)
    return lines


if __name__ == "__main__":
    in_blender.main(__doc__, 3, table)
