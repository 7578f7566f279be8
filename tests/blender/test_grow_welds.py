# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of branches: parts of their parents' surface."""

import importlib

import numpy as np
import pytest

from tests.blender.skins import components, directed_edges

EXTENSION = "bl_ext.user_default.plant_dynamics"


@pytest.fixture
def lsystem(addon):
    return importlib.import_module(f"{EXTENSION}.lsystem")


@pytest.fixture
def module(addon):
    return lambda name: importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.{name}")


#: Nearly all feet are welded where branches are not whorls of thick ones, nor equal forks: the least share.
WELDED = {
    "broad_leaf": 1.0, "climbing_shoot": 1.0, "honda_tree": 1.0, "inflorescence": 1.0, "meadow_grass": 1.0,
    "orchid": 1.0, "panicle": 0.95, "rose": 1.0, "sunflower": 1.0, "sympodial_tree": 1.0, "winter_tree": 0.98,
    "willow": 0.9, "young_oak": 0.95,
}  # fmt: skip


def test_branches_and_their_parents_are_one_surface(lsystem, module):
    """Every foot that is not welded leaves a piece of its own."""
    drawn = {preset.name: lsystem.grow(preset.text) for preset in lsystem.presets() if preset.name in WELDED}
    shares = {}
    for name, least in WELDED.items():
        axes = module("axes").find_axes(drawn[name], lsystem.ORGANS)
        runs = axes.runs_of(module("axes").TUBE)
        base = axes.segments[axes.first[runs]]
        branches = np.count_nonzero((axes.parent[base] >= 0) & (axes.before[base] < 0))
        surface = module("tubes").build_tubes(drawn[name], axes, module("detail").HIGH)
        pieces = len(components(len(surface.vertices), np.sort(directed_edges(surface), axis=1)))
        shares[name] = 1.0 - (pieces - (len(runs) - branches)) / branches
        assert shares[name] >= least, shares
    assert shares


def test_one_branch_of_a_fork_continues_the_stem(lsystem, module):
    text = "steps: 1\naxiom: F(0.1, 0.010) [ +(40) F(0.1, 0.008) ] [ -(25) F(0.1, 0.009) ] [ &(20) F(0.1, 0.002) ]\n"
    axes = module("axes").find_axes(lsystem.grow(text), lsystem.ORGANS)
    assert axes.after[0] == 2, "that which turns least and is not much thinner"
    assert axes.run.tolist() == [0, 1, 0, 2]
    text = "steps: 1\naxiom: F(0.1, 0.010) [ +(40) F(0.1, 0.008) ] F(0.1, 0.003)\n"
    axes = module("axes").find_axes(lsystem.grow(text), lsystem.ORGANS)
    assert axes.run.tolist() == [0, 1, 0], "the axis goes on, however thin"


@pytest.mark.parametrize("degrees", [20, 45, 90, 110])
@pytest.mark.parametrize("radius", [0.003, 0.010])
def test_a_branch_flows_into_its_parent(lsystem, module, degrees, radius):
    """Parent and branch are one closed surface; the branch has its foot on the parent's faces, follows the parent's
    bones there and has nearly its normals; around it the surface has no fold."""
    text = f"steps: 1\naxiom: F(0.1, 0.01) [ &({degrees}) F(0.1, {radius}) F(0.1, {radius}) ] F(0.1, 0.01)\n"
    skeleton = lsystem.grow(text)
    axes = module("axes").find_axes(skeleton, lsystem.ORGANS)
    surface = module("tubes").build_tubes(skeleton, axes, module("detail").HIGH)
    edges = directed_edges(surface)
    assert len(components(len(surface.vertices), edges)) == 1
    assert {tuple(edge) for edge in edges.tolist()} == {tuple(edge[::-1]) for edge in edges.tolist()}
    triangles = surface.triangles[(surface.vertices[surface.triangles][:, :, 2] > 0.01).all(axis=1)]
    run = axes.run[surface.segment]
    patch = triangles[(run[triangles[:, 0]] == 0) & (run[triangles] == 1).any(axis=1)]
    foot = np.unique(patch[run[patch] == 1])
    assert len(foot) >= 8
    out = np.linalg.norm(surface.vertices[foot] * (1, 1, 0), axis=1)
    assert (out < 0.01 + 1e-6).all()
    assert (out > 0.01 * np.cos(np.pi / 14) - 1e-6).all(), "on the faces of a prism of 14 sides"
    own = surface.weights[foot][surface.bones[foot] == 1]
    assert own.sum() == pytest.approx(0.0, abs=1e-9), "the foot follows the parent alone"
    lowest = np.isin(surface.quads, foot).sum(axis=1) == 2
    for faces, least in ((surface.quads[lowest], 0.5), (patch, 0.85)):
        face = surface.vertices[faces]
        normal = np.cross(face[:, 1] - face[:, 0], face[:, 2] - face[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        radial = face.mean(axis=1) * (1, 1, 0)
        radial /= np.linalg.norm(radial, axis=1, keepdims=True)
        cosine = np.einsum("fi,fi->f", normal, radial)
        assert np.median(cosine) > 0.95
        assert cosine.min() > least, (
            "in the acute corner five faces turn by 160 degrees; a triangle spans two sides of 14"
        )


def test_texture_goes_on_around_a_foot(lsystem, module):
    """Every triangle around it has the UVs of the parent's tube: once around, metres along."""
    text = "steps: 1\naxiom: F(0.1, 0.01) [ &(50) F(0.1, 0.004) ] F(0.1, 0.01)\n"
    skeleton = lsystem.grow(text)
    axes = module("axes").find_axes(skeleton, lsystem.ORGANS)
    surface = module("tubes").build_tubes(skeleton, axes, module("detail").HIGH)
    along = {}
    for face, uv in zip(surface.quads.tolist(), surface.quad_uv.tolist(), strict=True):
        for vertex, (u, v) in zip(face, uv, strict=True):
            along.setdefault(vertex, set()).add((round(u % 1.0, 9), v))
    checked = 0
    for face, uv in zip(surface.triangles.tolist(), surface.triangle_uv.tolist(), strict=True):
        if max(surface.vertices[face][:, 2]) > 0.19 or axes.run[surface.segment[face[0]]] != 0:
            continue
        for vertex, (u, v) in zip(face, uv, strict=True):
            z = surface.vertices[vertex, 2]
            if z <= 0.01:
                continue
            assert v == pytest.approx(z, abs=1e-6)
            if axes.run[surface.segment[vertex]] == 0:
                assert (round(u % 1.0, 9) % 1.0, v) in {(a % 1.0, b) for a, b in along[vertex]}
                checked += 1
    assert checked > 10


#: Ages between whole steps, at which thin young internodes follow old ones; and trees with few sides.
YOUNG = [
    ("rose", 6.12, "HIGH"), ("broad_leaf", 4.22, "HIGH"), ("broad_leaf", 6.18, "HIGH"), ("cyme", 6.07, "HIGH"),
    ("cyme", 8.07, "HIGH"), ("sunflower", 5.44, "HIGH"), ("sunflower", 15.27, "HIGH"), ("potted_plant", 4.2, "HIGH"),
    ("potted_plant", 5.1, "MEDIUM"), ("orchid", 23.2, "HIGH"), ("shrub", 15.13, "HIGH"), ("reed", None, "LOW"),
    ("ternary_tree", None, "LOW"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "age", "level"), YOUNG)
def test_no_edge_is_torn_or_used_twice(lsystem, module, name, age, level):
    """What is open are whole rings that begin inside their parents; all other edges are between two faces."""
    preset = next(one for one in lsystem.presets() if one.name == name)
    grammar = lsystem.parse(preset.text, name)
    axes = module("axes").find_axes(skeleton := lsystem.draw(grammar, age, 0), lsystem.ORGANS)
    surface = module("tubes").build_tubes(skeleton, axes, getattr(module("detail"), level))
    check_edges(surface, axes.run[surface.segment])


@pytest.mark.parametrize("level", ["LOW", "MEDIUM", "HIGH"])
@pytest.mark.parametrize("angle", [15, 30, 50, 90])
@pytest.mark.parametrize("short", [0.1, 0.6, 2.0])
def test_short_internodes_and_pairs(lsystem, module, angle, short, level):
    radius = 0.003
    branch = f"[&({angle}) F(.04,{radius * 0.5}) F(.04,{radius * 0.5})]"
    between = f"F({short * radius},{radius})"
    text = f"axiom: F(.04,{radius}) {branch} {between} /(137) {branch} /(180) {branch} {between} F(.04,{radius})\n"
    skeleton = lsystem.grow(f"steps: 0\n{text}")
    axes = module("axes").find_axes(skeleton, lsystem.ORGANS)
    surface = module("tubes").build_tubes(skeleton, axes, getattr(module("detail"), level))
    check_edges(surface, axes.run[surface.segment])


def check_edges(surface, run):
    edges = directed_edges(surface)
    assert len(np.unique(edges, axis=0)) == len(edges), "used twice"
    there = {tuple(edge) for edge in edges.tolist()}
    bare = np.array([edge for edge in there if edge[::-1] not in there], dtype=int).reshape(-1, 2)
    starts, ends = np.unique(bare[:, 0], return_counts=True), np.unique(bare[:, 1], return_counts=True)
    assert np.array_equal(starts[0], ends[0]), "open edges go around"
    assert (starts[1] == 1).all()
    assert (run[bare[:, 0]] == run[bare[:, 1]]).all(), "a ring of one branch"
    pieces = np.concatenate([surface.vertices[surface.quads][:, :3], surface.vertices[surface.triangles]])
    assert np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1).min() > 0.0
