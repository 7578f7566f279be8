# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found comes into view, and a view that shows it stays."""

import importlib
import itertools
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Matrix, Quaternion, Vector

from tests.blender.scenes import plants

HERE = Vector((0.0, 0.0, 0.0))


def looks_down(perspective="ORTHO", sidebar=200, overlaps=True):
    """The context of a view from above onto 8 by 6 m, 800 by 600 pixels, with a sidebar over it."""
    onto_region = Matrix.Diagonal((0.25, 1.0 / 3.0, 0.01, 1.0))
    view = SimpleNamespace(view_perspective=perspective, view_location=HERE, perspective_matrix=onto_region)
    regions = [SimpleNamespace(type="WINDOW", width=800, height=600), SimpleNamespace(type="UI", width=sidebar)]
    return SimpleNamespace(
        space_data=SimpleNamespace(type="VIEW_3D", region_3d=view), area=SimpleNamespace(regions=regions),
        preferences=SimpleNamespace(system=SimpleNamespace(use_region_overlap=overlaps)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("context", "place", "turns"),
    [
        (looks_down(), (1.9, 2.9, 0.0), False),
        (looks_down(), (2.1, 0.0, 0.0), True),  # behind the sidebar
        (looks_down(overlaps=False), (2.1, 0.0, 0.0), False),
        (looks_down(sidebar=1), (2.1, 0.0, 0.0), False),
        (looks_down(), (-4.1, 0.0, 0.0), True),
        (looks_down(), (0.0, 3.1, 0.0), True),
        (looks_down("CAMERA"), (9.0, 9.0, 0.0), False),
    ],
)
def test_the_view_turns_only_to_what_is_not_seen(fresh, context, place, turns):
    in_view = importlib.import_module(f"{plants.ADDON}.viewport.in_view")
    in_view.bring_into_view(context, Vector(place))
    assert context.space_data.region_3d.view_location == (Vector(place) if turns else HERE)


def looks_from(distance, *, perspective=True, sidebar=0, direction=(1.0, 0.0, 0.0, 0.0), at=HERE, camera=False):
    """The context of a view of 800 by 600 pixels that looks from so far at a place: with a tangent of half its width of
    0.4, or onto what that shows at this distance."""
    onto = Matrix.Diagonal((2.5, 2.5 * 4 / 3, -1.0, 1.0))
    if perspective:
        onto[3][2], onto[3][3] = -1.0, 0.0
    else:
        onto = Matrix.Diagonal((2.5 / distance, 2.5 * 4 / 3 / distance, -0.01, 1.0))
    turn = Quaternion(direction)
    eye = at + turn @ Vector((0.0, 0.0, distance))
    into_view = (Matrix.Translation(eye) @ turn.to_matrix().to_4x4()).inverted()
    view = SimpleNamespace(
        view_perspective="CAMERA" if camera else "PERSP" if perspective else "ORTHO", is_perspective=perspective,
        view_location=at.copy(), view_distance=distance, view_rotation=turn, window_matrix=onto,
        perspective_matrix=onto @ into_view,
    )  # fmt: skip
    regions = [SimpleNamespace(type="WINDOW", width=800, height=600), SimpleNamespace(type="UI", width=sidebar)]
    return SimpleNamespace(
        space_data=SimpleNamespace(type="VIEW_3D", region_3d=view), area=SimpleNamespace(regions=regions),
        preferences=SimpleNamespace(system=SimpleNamespace(use_region_overlap=True)),
    )  # fmt: skip


LOW, HIGH = (-0.2, -0.3, -0.1), (0.2, 0.1, 1.0)
"""Of a plant, m."""
FROM_THE_FRONT = (0.7071068, 0.7071068, 0.0, 0.0)
ASLANT = (0.78, 0.5, 0.2, 0.32)


@pytest.mark.parametrize(
    ("view", "is_only", "turns"),
    [
        ({"distance": 4.0}, True, False),  # 1.1 m in a view of 2.4 m
        ({"distance": 20.0}, True, True),  # small
        ({"distance": 20.0}, False, False),
        ({"distance": 2.0}, True, True),  # a part is not seen
        ({"distance": 2.0}, False, False),
        ({"distance": 4.0, "at": Vector((9.0, 0.0, 0.0))}, True, True),
        ({"distance": 4.0, "at": Vector((9.0, 0.0, 0.0))}, False, True),
        ({"distance": 4.0, "at": Vector((0.0, 9.0, 0.0))}, False, True),  # behind the view
        ({"distance": 4.0, "at": Vector((9.0, 0.0, 0.0)), "camera": True}, True, False),
        ({"distance": 4.0, "sidebar": 350}, True, True),  # behind the sidebar
        ({"distance": 4.0, "perspective": False}, True, False),
        ({"distance": 20.0, "perspective": False}, True, True),
    ],
)
def test_a_plant_is_framed_where_it_is_not_well_in_view(fresh, view, is_only, turns):
    in_view = importlib.import_module(f"{plants.ADDON}.viewport.in_view")
    context = looks_from(**{"direction": FROM_THE_FRONT, **view})
    before = context.space_data.region_3d.view_location.copy()
    in_view.frame(context, LOW, HIGH, is_only=is_only)
    assert (context.space_data.region_3d.view_location != before) == turns


@pytest.mark.parametrize("perspective", [True, False])
@pytest.mark.parametrize("sidebar", [0, 200])
@pytest.mark.parametrize("direction", [FROM_THE_FRONT, ASLANT])
def test_what_is_framed_fills_the_view_beside_the_sidebar(fresh, direction, sidebar, perspective):
    in_view = importlib.import_module(f"{plants.ADDON}.viewport.in_view")
    seen = {"direction": direction, "sidebar": sidebar, "perspective": perspective}
    context = looks_from(**seen, distance=3.0, at=Vector((9.0, 0.0, 0.0)))
    in_view.frame(context, LOW, HIGH, is_only=False)
    found = context.space_data.region_3d
    again = looks_from(**seen, distance=found.view_distance, at=found.view_location)
    window, view = again.area.regions[0], again.space_data.region_3d
    corners = [Vector(corner) for corner in itertools.product(*zip(LOW, HIGH, strict=True))]
    places = np.array([location_3d_to_region_2d(window, view, corner) for corner in corners])
    assert places.min() > 0.0
    assert (places.max(axis=0) < (window.width - sidebar, window.height)).all()
    assert 0.5 < (np.ptp(places, axis=0) / (window.width - 2 * sidebar, window.height)).max() < 0.85


@pytest.mark.parametrize(
    ("high", "seen", "is_hidden"),
    [
        (HIGH, {}, True),
        ((0.2, 0.1, 3.0), {}, False),  # it rises above the cube
        (HIGH, {"distance": 0.8}, False),  # from inside of the cube
        (HIGH, {"at": Vector((9.0, 0.0, 0.0)), "distance": 0.5}, True),  # far beside it
        (HIGH, {"perspective": False}, True),
    ],
)
@pytest.mark.parametrize("direction", [FROM_THE_FRONT, ASLANT])
def test_a_plant_in_the_first_cube_is_found_hidden_by_it(fresh, direction, high, seen, is_hidden):
    hiding = importlib.import_module(f"{plants.ADDON}.viewport.hidden").hiding
    context = looks_from(**{"distance": 8.0, "direction": direction, **seen})
    context.view_layer, context.evaluated_depsgraph_get = bpy.context.view_layer, bpy.context.evaluated_depsgraph_get
    context.space_data.shading = SimpleNamespace(type="SOLID", show_xray=False)
    assert hiding(context, LOW, high) is None
    bpy.ops.mesh.primitive_cube_add(size=1.5, location=(0.0, 0.0, 0.5), scale=(2.0, 2.0, 1.0))
    cube = bpy.context.object
    bpy.context.view_layer.update()
    assert hiding(context, LOW, high) == (cube if is_hidden else None)
    cube.display_type = "WIRE"
    assert hiding(context, LOW, high) is None
    cube.display_type = "TEXTURED"
    cube.parent = bpy.data.objects.new("Plant", bpy.data.armatures.new("Plant"))
    assert hiding(context, LOW, high) is None, "a pot or a skin"
    cube.parent = None
    context.space_data.shading.show_xray = True
    assert hiding(context, LOW, high) is None
