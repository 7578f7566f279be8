# SPDX-License-Identifier: GPL-3.0-or-later
"""The skins of all presets, with what Blender works out for them; `tests/grow` has what needs no Blender."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from tests.grow.skins import (
    CHAIN,
    LEAFY,
    check_edges,
    check_skin,
    components,
    corners,
    directed_edges,
    signed_volume,
)

PRESETS = sorted((Path(__file__).resolve().parents[3] / "lsystem" / "presets").glob("*.lsys"))
EXTENSION = "bl_ext.user_default.plant_dynamics"


@pytest.fixture(scope="module")
def lsystem(addon):
    return importlib.import_module(f"{EXTENSION}.lsystem")


@pytest.fixture(scope="module")
def module(addon):
    return lambda name: importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.mesh.{name}")


@pytest.fixture(scope="module")
def geometry(addon):
    return importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.objects.triangulation").BLENDER_GEOMETRY


@pytest.fixture(scope="module")
def all_skeletons(lsystem):
    drawn = {preset.name: lsystem.grow(preset.text) for preset in lsystem.presets()}
    return {**drawn, "chain": lsystem.grow(CHAIN), "leafy": lsystem.grow(LEAFY)}


@pytest.mark.parametrize("path", PRESETS, ids=lambda path: path.stem)
def test_every_preset_has_a_sound_skin(lsystem, module, geometry, path):
    skeleton = lsystem.grow(path.read_text(encoding="utf-8"))
    check_skin(module("skin").build_skin(skeleton, lsystem.ORGANS, geometry), skeleton)


@pytest.fixture(scope="module")
def fine_tubes(all_skeletons, lsystem, module, geometry):
    """Axes and tubes of all that have tubes, in the highest detail."""
    find_axes, build_tubes = module("axes").find_axes, module("stems.tubes").build_tubes
    axes = {name: find_axes(skeleton, lsystem.ORGANS) for name, skeleton in all_skeletons.items()}
    return {
        name: (own, build_tubes(all_skeletons[name], own, module("detail").HIGH, geometry))
        for name, own in axes.items() if len(own.runs_of(module("axes").TUBE))
    }  # fmt: skip


def closed_feet_of(module, geometry, skeleton, axes):
    """Places (k, 3) of the points that close feet within their parents, and the runs (k) whose feet they are."""
    tubes, found = module("stems.tubes"), []
    with pytest.MonkeyPatch.context() as patch:
        close = tubes.closed_feet
        patch.setattr(tubes, "closed_feet", lambda *given: found.append(close(*given)) or found[-1])
        tubes.build_tubes(skeleton, axes, module("detail").HIGH, geometry)
    return found[0].point, found[0].run


@pytest.mark.slow
def test_tubes_are_closed_their_feet_are_inside_others_and_they_face_outwards(
    all_skeletons, fine_tubes, module, geometry
):
    """Where a foot cannot be welded it is closed, all of it inside the tube it sits on."""
    closed = 0
    for name, (axes, surface) in fine_tubes.items():
        skeleton = all_skeletons[name]
        edges = directed_edges(surface) @ np.array([[len(surface.vertices), 1], [1, len(surface.vertices)]])
        assert np.isin(edges[:, 0], edges[:, 1]).all(), name
        feet, of_feet = closed_feet_of(module, geometry, skeleton, axes)
        closed += len(feet)
        quads, _ = corners(surface)
        faces = quads.mean(axis=1), np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
        of_run = axes.run[surface.segment[surface.quads[:, 0]]]
        rim = surface.triangles[np.isin(surface.triangles, numbers_at(surface, feet)).any(axis=1)]
        points = np.unique(rim)
        assert len(points) >= 4 * len(feet)
        out = [
            point
            for point, run in zip(surface.vertices[points], axes.run[surface.segment[points]], strict=True)
            if run in of_feet and not inside_another(skeleton, faces, of_run, axes, point, run)
        ]
        assert len(out) == 0, f"{name}: a gap at {out[0]}"
        share = share_facing_outwards(skeleton, surface)
        assert share > 0.75, (name, share)  # fillets look aside, and thin twigs bend
    assert closed, "in some whorls"
    _, chain = fine_tubes["chain"]
    # A prism of 14 sides with the root's widening, the part below the ground and the rounded tip.
    assert signed_volume(chain) == pytest.approx(np.pi * 0.005**2 * 0.2, rel=0.15)


def numbers_at(surface, points):
    """Of the vertices that are exactly at the points."""
    there = {tuple(point): number for number, point in enumerate(surface.vertices.tolist())}
    return [there[tuple(point)] for point in points.tolist()]


def inside_another(skeleton, faces, of_run, axes, point, run):
    """Whether the point is in the thickness of a segment of another run, or seen from behind by a face near it, as
    where smoothing has bent the run aside. Faces alone do not tell: those of long segments have distant middles."""
    head, span = skeleton.head, skeleton.tail() - skeleton.head
    along = np.clip(((point - head) * span).sum(axis=1) / np.maximum((span**2).sum(axis=1), 1e-18), 0.0, 1.0)
    apart = np.linalg.norm(head + along[:, None] * span - point, axis=1)
    radius = skeleton.radius_base + along * (skeleton.radius_tip - skeleton.radius_base)
    if (apart < radius)[axes.run != run].any():
        return True
    middles, normals = faces
    other = np.flatnonzero(of_run != run)
    near = other[np.argsort(np.linalg.norm(middles[other] - point, axis=1))[:12]]
    return bool((((point - middles[near]) * normals[near]).sum(axis=1) < 0.0).any())


def share_facing_outwards(skeleton, surface):
    """Of the four-sided faces, those that look away from the line of their segment."""
    quads, _ = corners(surface)
    segment = surface.segment[surface.quads[:, 0]]
    head, span = skeleton.head[segment], (skeleton.tail() - skeleton.head)[segment]
    middle = quads.mean(axis=1)
    along = ((middle - head) * span).sum(axis=1) / np.maximum((span**2).sum(axis=1), 1e-18)
    outwards = middle - head - along[:, None] * span
    normals = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    return float(((outwards * normals).sum(axis=1) > 0.0).mean())


@pytest.mark.slow
def test_no_tube_cuts_itself_at_its_collar(all_skeletons, fine_tubes, module, geometry):
    from mathutils.bvhtree import BVHTree

    def cuts(surface, axes):
        tree = BVHTree.FromPolygons(surface.vertices.tolist(), [*surface.quads.tolist(), *surface.triangles.tolist()])
        corners = np.concatenate([surface.quads, surface.triangles[:, [0, 1, 2, 2]]])
        pairs = np.array(tree.overlap(tree), dtype=np.int64).reshape(-1, 2)
        one, other = corners[pairs[pairs[:, 0] < pairs[:, 1]].T]
        apart = ~(one[:, :, None] == other[:, None, :]).any(axis=(1, 2))  # without a common corner
        run = axes.run[surface.segment]
        return int((run[one[apart, 0]] == run[other[apart, 0]]).sum()), int(apart.sum())

    crossing = 0
    for name, (axes, fine) in fine_tubes.items():
        coarse = module("stems.tubes").build_tubes(all_skeletons[name], axes, module("detail").LOW, geometry)
        for surface in (coarse, fine):
            within, between = cuts(surface, axes)
            assert within == 0, name
            crossing += between
    assert crossing, "in whorls some branches go into others, so something is found"


#: Nearly all feet are welded where branches are not whorls of thick ones, nor equal forks: the least share.
WELDED = {
    "broad_leaf": 1.0, "climbing_shoot": 1.0, "honda_tree": 1.0, "inflorescence": 1.0, "meadow_grass": 1.0,
    "orchid": 1.0, "panicle": 0.95, "rose": 1.0, "sunflower": 1.0, "sympodial_tree": 1.0, "winter_tree": 0.98,
    "willow": 0.9, "young_oak": 0.95,
}  # fmt: skip


def test_branches_and_their_parents_are_one_surface(fine_tubes, module):
    """Every foot that is not welded leaves a piece of its own."""
    shares = {}
    for name, least in WELDED.items():
        axes, surface = fine_tubes[name]
        runs = axes.runs_of(module("axes").TUBE)
        base = axes.segments[axes.first[runs]]
        branches = np.count_nonzero((axes.parent[base] >= 0) & (axes.before[base] < 0))
        pieces = len(components(len(surface.vertices), np.sort(directed_edges(surface), axis=1)))
        shares[name] = 1.0 - (pieces - (len(runs) - branches)) / branches
        assert shares[name] >= least, shares
    assert shares


#: Ages between whole steps, at which thin young internodes follow old ones; and trees with few sides.
YOUNG = [
    ("rose", 6.12, "HIGH"), ("broad_leaf", 4.22, "HIGH"), ("broad_leaf", 6.18, "HIGH"), ("cyme", 6.07, "HIGH"),
    ("cyme", 8.07, "HIGH"), ("sunflower", 5.44, "HIGH"), ("sunflower", 15.27, "HIGH"), ("potted_plant", 4.2, "HIGH"),
    ("potted_plant", 5.1, "MEDIUM"), ("orchid", 23.2, "HIGH"), ("shrub", 15.13, "HIGH"), ("reed", None, "LOW"),
    ("ternary_tree", None, "LOW"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "age", "level"), YOUNG)
def test_no_edge_is_torn_or_used_twice(lsystem, module, geometry, name, age, level):
    """Also where branches begin inside their parents."""
    preset = next(one for one in lsystem.presets() if one.name == name)
    grammar = lsystem.parse(preset.text, name)
    axes = module("axes").find_axes(skeleton := lsystem.draw(grammar, age, 0), lsystem.ORGANS)
    surface = module("stems.tubes").build_tubes(skeleton, axes, getattr(module("detail"), level), geometry)
    check_edges(surface)
