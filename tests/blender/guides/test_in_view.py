# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found comes into view, and a view that shows it stays."""

import importlib
from types import SimpleNamespace

import pytest
from mathutils import Matrix, Vector

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
