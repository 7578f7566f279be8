# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves as wires: where Blender draws them, with their corners, and smooth where they are."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Euler

from tests.blender.scenes import plants

L = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.3, 0.3, 0.0))
WAVE = ((0.0, 0.0, 0.0), (0.2, 0.15, 0.05), (0.4, -0.1, 0.0), (0.6, 0.1, 0.1))


def curve(points, handles, cyclic=False, kind="BEZIER", bevel=0.0):
    """A turned curve object through these points; handles: of all, or of each point."""
    data = bpy.data.curves.new("Wire", "CURVE")
    data.dimensions, data.bevel_depth = "3D", bevel
    spline = data.splines.new(kind)
    knots = spline.bezier_points if kind == "BEZIER" else spline.points
    knots.add(len(points) - 1)
    for i, (knot, place) in enumerate(zip(knots, points, strict=True)):
        knot.co = place if kind == "BEZIER" else (*place, 1.0)
        if kind == "BEZIER":
            knot.handle_left_type = knot.handle_right_type = handles if isinstance(handles, str) else handles[i]
    spline.use_cyclic_u = cyclic
    if kind == "NURBS":
        spline.order_u, spline.use_endpoint_u = 2, True
    obj = bpy.data.objects.new("Wire", data)
    bpy.context.scene.collection.objects.link(obj)
    obj.rotation_euler = Euler((0.3, 0.2, 0.1))
    bpy.context.view_layer.update()
    return obj


def with_free_corner():
    obj = curve(WAVE, ["AUTO", "AUTO", "FREE", "AUTO"])
    knot = obj.data.splines[0].bezier_points[2]
    knot.handle_left, knot.handle_right = (0.35, -0.02, 0.0), (0.5, -0.1, 0.0)
    return obj


def with_handles(kind):
    """Smooth, with handles of another kind where the automatic ones were."""
    obj = curve(WAVE, "AUTO")
    for knot in obj.data.splines[0].bezier_points:
        knot.handle_left_type = knot.handle_right_type = kind
    return obj


CORNERED = {
    "an angle": lambda: curve(L, "VECTOR"),
    "a square": lambda: curve([*L, (0.0, 0.3, 0.0)], "VECTOR", cyclic=True),
    "one corner": lambda: curve(WAVE, ["AUTO", "VECTOR", "AUTO", "AUTO"]),
    "a free corner": with_free_corner,
    "a closed one": lambda: curve(WAVE, ["VECTOR", "AUTO", "AUTO", "AUTO"], cyclic=True),
    "with thickness": lambda: curve(WAVE, ["AUTO", "VECTOR", "VECTOR", "AUTO"], bevel=0.01),
    "straight pieces": lambda: curve(WAVE, "VECTOR", kind="NURBS"),
}
SMOOTH = {
    "automatic": lambda: curve(WAVE, "AUTO"),
    "a ring": lambda: curve([*L, (0.0, 0.3, 0.0)], "AUTO", cyclic=True),
    "aligned": lambda: with_handles("ALIGNED"),
    "free in line": lambda: with_handles("FREE"),
}


def wire_of(obj):
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return importlib.import_module(f"{plants.ADDON}.dynamics.solids.wires").wire_of(evaluated)


def along(wire, steps=40) -> np.ndarray:
    """(n, 3) places on the wire as the solver joins its points."""
    root = plants.ADDON.rpartition(".")[0]
    pieces = importlib.import_module(f"{root}.solver.guides.curves").curves_through([wire])
    t = np.linspace(0.0, 1.0, steps)[:, None, None]
    weights = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, -2 * t**3 + 3 * t**2, t**3 - t**2
    parts = pieces.start, pieces.slope, pieces.end, pieces.end_slope
    return sum(weight * part for weight, part in zip(weights, parts, strict=True)).reshape(-1, 3)


def drawn(obj) -> np.ndarray:
    """(n, 2, 3) the straight pieces that Blender draws, without thickness."""
    obj.data.bevel_depth = 0.0
    bpy.context.view_layer.update()
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    places = np.array([obj.matrix_world @ vertex.co for vertex in mesh.vertices])
    found = places[np.array([edge.vertices for edge in mesh.edges])]
    evaluated.to_mesh_clear()
    return found


def distance(points, pieces) -> np.ndarray:
    """(n,) of each point to the nearest of the straight pieces."""
    start, way = pieces[:, 0], pieces[:, 1] - pieces[:, 0]
    out = points[:, None] - start
    share = np.clip((out * way).sum(-1) / (way * way).sum(-1), 0.0, 1.0)
    return np.linalg.norm(out - share[..., None] * way, axis=-1).min(axis=1)


def sagitta(pieces) -> float:
    """How far an arc through three neighbouring points lies off the straight pieces at most, where they are no corner.
    """
    way = pieces[:, 1] - pieces[:, 0]
    size = np.linalg.norm(way, axis=1)
    turn = np.arccos(np.clip((way[1:] * way[:-1]).sum(1) / (size[1:] * size[:-1]), -1.0, 1.0))
    return float((turn * np.maximum(size[1:], size[:-1]) / 8.0)[turn < 0.4].max(initial=0.0))


@pytest.mark.parametrize("make", CORNERED.values(), ids=CORNERED)
def test_a_wire_with_corners_is_where_it_is_drawn(fresh, make):
    obj = make()
    places = along(wire_of(obj))
    pieces = drawn(obj)
    ends = pieces.reshape(-1, 3)
    assert distance(places, pieces).max() < 1.5 * sagitta(pieces) + 5e-5
    assert distance(ends, np.stack([places[:-1], places[1:]], axis=1)).max() < 1e-5


@pytest.mark.parametrize("make", SMOOTH.values(), ids=SMOOTH)
def test_a_smooth_wire_has_the_points_that_are_drawn_and_no_others(fresh, make):
    obj = make()
    wire = wire_of(obj)
    pieces = drawn(obj)
    assert wire.smooth
    assert len(wire.points) == len(pieces) + (not wire.closed)
    assert distance(along(wire), pieces).max() < 1.5 * sagitta(pieces)


def test_a_bone_slides_around_a_corner_on_what_is_drawn(fresh, run_operator):
    """The wire goes level and then down, and the tip of a heavy chain is drawn along it by its weight."""
    obj = plants.chain(8)
    run_operator("make_dynamic")
    obj.plant_dynamics.stiffness_factor = 1e-3
    wire = curve(((0.6, 0.0, 0.0), (0.75, 0.0, -0.1), (0.5, 0.0, -0.6)), "VECTOR")
    wire.rotation_euler = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    for one in bpy.context.view_layer.objects:
        one.select_set(one in (obj, wire))
    bpy.context.view_layer.objects.active = obj
    run_operator("add_wire")
    obj.plant_dynamics.loads[-1].bone = "Bone.7"
    run_operator("play")
    tips = []
    for frame in range(1, 61):
        plants.show(frame)
        tips.append(plants.tip(obj, "Bone.7"))
    assert np.ptp(np.array(tips)[:, 2]) > 0.05 or tips[0][2] < -0.15
    assert distance(np.array(tips), drawn(wire)).max() < 1e-4
