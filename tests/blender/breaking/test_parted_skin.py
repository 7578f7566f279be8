# SPDX-License-Identifier: GPL-3.0-or-later
"""Skins that part where bones come off: nothing between is stretched, and nothing is open."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.breaking.coming_off import key_let_go


@pytest.fixture
def grown(fresh, run_operator):
    """A grown plant with the skin of a branch that is cut at frame 5."""
    bpy.context.scene.frame_end = 12
    obj = plants.grow("broad_leaf")
    run_operator("disconnect_bones")
    bone = max((one for one in obj.data.bones if one.plant_dynamics.organ == "stem" and one.parent),
               key=lambda one: (one.parent.parent is not None) * len(one.children_recursive))  # fmt: skip
    for frame, cut in ((1, False), (5, True)):
        obj.pose.bones[bone.name].plant_dynamics_cut = cut
        obj.pose.bones[bone.name].keyframe_insert("plant_dynamics_cut", frame=frame)
    return obj


def edges_of(skin):
    """(e, 2) vertices, and (e,) lengths as the skin is shown."""
    shown = skin.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    points = np.array([vertex.co for vertex in shown.vertices])
    edges = np.array([edge.vertices[:] for edge in shown.edges])
    return edges, np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)


def open_edges(skin):
    """How many edges have one face only."""
    corners = np.array([loop.edge_index for loop in skin.data.loops])
    return int((np.bincount(corners, minlength=len(skin.data.edges)) == 1).sum())


def longest(grown, skin):
    grown.plant_dynamics.start = "drawn"
    bpy.ops.plant_dynamics.play()
    plants.show(1)
    at_first = edges_of(skin)[1]
    plants.show(12)
    return (edges_of(skin)[1] - at_first).max()


def test_nothing_is_stretched_between_the_parts(grown, run_operator):
    skin = plants.mesh_of(grown)
    before, open_before = len(skin.data.vertices), open_edges(skin)
    run_operator("part_skin")
    assert len(skin.data.vertices) > before
    assert open_edges(skin) <= open_before
    assert longest(grown, skin) < 1e-3


def test_without_it_the_skin_is_stretched(grown):
    assert longest(grown, plants.mesh_of(grown)) > 0.05


def test_once_is_enough(grown, run_operator):
    skin = plants.mesh_of(grown)
    run_operator("part_skin")
    count = len(skin.data.vertices)
    run_operator("part_skin")
    assert len(skin.data.vertices) == count


def test_what_does_not_come_off_is_not_parted(fresh, run_operator):
    obj = plants.grow("broad_leaf")
    key_let_go(obj, 5)
    with pytest.raises(RuntimeError, match="no bone that may come off"):
        run_operator("part_skin")
