# SPDX-License-Identifier: GPL-3.0-or-later
"""The skins of all presets, with what Blender works out for them; `tests/grow` has what needs no Blender.

Large ones are left to the full form.
"""

import importlib
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.forms import IS_FULL
from tests.grow.skins import (
    CHAIN,
    LARGE,
    LEAFY,
    check_edges,
    check_skin,
    components,
    corners,
    directed_edges,
    signed_volume,
)

TEXTS = sorted((Path(__file__).resolve().parents[3] / "lsystem" / "presets").glob("*.lsys"))
PRESETS = [path.stem for path in TEXTS if IS_FULL or path.stem not in LARGE]
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


class Tubes(NamedTuple):
    """Of a plant, in the highest detail."""

    skeleton: Any
    axes: Any
    surface: Any
    feet: np.ndarray  # (k, 3) points that close feet within their parents
    of_feet: np.ndarray  # (k,) the runs whose feet they are


@pytest.fixture(scope="module")
def tubes_of(lsystem, module, geometry):
    """The tubes of a plant of this name and the rest of its skin, if it has tubes; built once, with the skin."""
    known, texts = {}, {one.name: one.text for one in lsystem.presets()} | {"chain": CHAIN, "leafy": LEAFY}

    def built(name):
        skeleton = lsystem.grow(texts[name])
        tubes, found = module("stems.tubes"), []
        build, close = tubes.build_tubes, tubes.closed_feet
        with pytest.MonkeyPatch.context() as patch:

            def building(skeleton, axes, *given):
                surface = build(skeleton, axes, *given)
                found.extend((axes, surface))
                return surface

            patch.setattr(tubes, "closed_feet", lambda *given: found.append(close(*given)) or found[-1])
            patch.setattr(module("skin"), "build_tubes", building)
            skin = module("skin").build_skin(skeleton, lsystem.ORGANS, geometry)
        known[name] = None
        if found:
            feet, axes, surface = found
            known[name] = Tubes(skeleton, axes, surface, feet.point, feet.run)
        return skeleton, skin

    def tubes(name):
        if name not in known:
            built(name)
        return known[name]

    return SimpleNamespace(built=built, tubes=tubes, names=[*PRESETS, "chain", "leafy"])


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_sound_skin(tubes_of, name):
    skeleton, skin = tubes_of.built(name)
    check_skin(skin, skeleton)


@pytest.fixture(scope="module")
def fine_tubes(tubes_of):
    """All tubes of all plants that have some, in the highest detail."""
    found = {name: tubes_of.tubes(name) for name in tubes_of.names}
    return {name: tubes for name, tubes in found.items() if tubes}


@pytest.mark.slow
def test_tubes_are_closed_their_feet_are_inside_others_and_they_face_outwards(fine_tubes):
    """Where a foot cannot be welded it is closed, all of it inside the tube it sits on."""
    closed = 0
    for name, (skeleton, axes, surface, feet, of_feet) in fine_tubes.items():
        edges = directed_edges(surface) @ np.array([[len(surface.vertices), 1], [1, len(surface.vertices)]])
        assert np.isin(edges[:, 0], edges[:, 1]).all(), name
        closed += len(feet)
        quads, _ = corners(surface)
        faces = quads.mean(axis=1), np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
        of_run = axes.run[surface.segment[surface.quads[:, 0]]]
        rim = surface.triangles[np.isin(surface.triangles, numbers_at(surface, feet)).any(axis=1)]
        points = np.unique(rim)
        assert len(points) >= 4 * len(feet)
        points = points[np.isin(axes.run[surface.segment[points]], of_feet)]
        places, runs = surface.vertices[points], axes.run[surface.segment[points]]
        out = ~in_another(skeleton, axes.run, places, runs)
        out[out] = ~behind_another(faces, of_run, places[out], runs[out])
        assert not out.any(), f"{name}: a gap at {places[out][0]}"
        share = share_facing_outwards(skeleton, surface)
        assert share > 0.75, (name, share)  # fillets look aside, and thin twigs bend
    assert closed, "in some whorls"
    chain = fine_tubes["chain"].surface
    # A prism of 14 sides with the root's widening, the part below the ground and the rounded tip.
    assert signed_volume(chain) == pytest.approx(np.pi * 0.005**2 * 0.2, rel=0.15)


def numbers_at(surface, points):
    """Of the vertices that are exactly at the points."""
    near = np.flatnonzero(np.isin(surface.vertices[:, 0], points[:, 0])).tolist()
    there = {tuple(point): number for number, point in zip(near, surface.vertices[near].tolist(), strict=True)}
    return [there[tuple(point)] for point in points.tolist()]


def in_another(skeleton, of_run, points, runs):
    """Whether points (k, 3) of these runs are in the thickness of a segment of another run."""
    head, span, found = skeleton.head, skeleton.tail() - skeleton.head, np.zeros(len(points), dtype=bool)
    size, thinner = squares(span), skeleton.radius_tip - skeleton.radius_base
    for some in np.array_split(np.arange(len(points)), len(points) // 256 + 1):
        ahead = points[some] @ span.T - (head * span).sum(axis=1)
        along = np.clip(ahead / np.maximum(size, 1e-18), 0.0, 1.0)
        from_head = squares(points[some])[:, None] - 2.0 * points[some] @ head.T + squares(head)
        apart = from_head - along * (2.0 * ahead - along * size)
        is_in = apart < (skeleton.radius_base + along * thinner) ** 2
        found[some] = (is_in & (of_run != runs[some, None])).any(axis=1)
    return found


def behind_another(faces, of_run, points, runs):
    """Whether points (k, 3) of these runs are seen from behind by a face near them, as where smoothing has bent a run
    aside. Faces alone do not tell what is inside: those of long segments have distant middles."""
    middles, normals = faces
    found = []
    for point, run in zip(points, runs, strict=True):
        away = np.where(of_run == run, np.inf, squares(middles - point))
        near = np.argpartition(away, 12)[:12] if len(away) > 12 else np.arange(len(away))
        near = near[np.isfinite(away[near])]
        found.append((((point - middles[near]) * normals[near]).sum(axis=1) < 0.0).any())
    return np.array(found, dtype=bool)


def squares(vectors):
    """Of their lengths (k,)."""
    return np.einsum("ki,ki->k", vectors, vectors)


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
def test_no_tube_cuts_itself_at_its_collar(fine_tubes, module, geometry):
    from mathutils.bvhtree import BVHTree

    def cuts(surface, axes):
        tree = BVHTree.FromPolygons(surface.vertices.tolist(), [*surface.quads.tolist(), *surface.triangles.tolist()])
        corners = np.concatenate([surface.quads, surface.triangles[:, [0, 1, 2, 2]]])
        pairs = np.fromiter(chain.from_iterable(tree.overlap(tree)), dtype=np.int64).reshape(-1, 2)
        one, other = corners[pairs[pairs[:, 0] < pairs[:, 1]].T]
        apart = ~(one[:, :, None] == other[:, None, :]).any(axis=(1, 2))  # without a common corner
        run = axes.run[surface.segment]
        return int((run[one[apart, 0]] == run[other[apart, 0]]).sum()), int(apart.sum())

    crossing = 0
    for name, (skeleton, axes, fine, _, _) in fine_tubes.items():
        coarse = module("stems.tubes").build_tubes(skeleton, axes, module("detail").LOW, geometry)
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
    for name in WELDED.keys() & fine_tubes.keys():
        _, axes, surface, _, _ = fine_tubes[name]
        runs = axes.runs_of(module("axes").TUBE)
        base = axes.segments[axes.first[runs]]
        branches = np.count_nonzero((axes.parent[base] >= 0) & (axes.before[base] < 0))
        pieces = len(components(len(surface.vertices), np.sort(directed_edges(surface), axis=1)))
        shares[name] = 1.0 - (pieces - (len(runs) - branches)) / branches
        assert shares[name] >= WELDED[name], shares
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
