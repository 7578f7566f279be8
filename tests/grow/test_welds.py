# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of branches: parts of their parents' surface."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.axes import find_axes
from plant_dynamics_addon.grow.mesh.stems.tubes import build_tubes
from tests.grow.geometry import GEOMETRY
from tests.grow.skins import check_edges, components, directed_edges


def test_one_branch_of_a_fork_continues_the_stem():
    text = "steps: 1\naxiom: F(0.1, 0.010) [ +(40) F(0.1, 0.008) ] [ -(25) F(0.1, 0.009) ] [ &(20) F(0.1, 0.002) ]\n"
    axes = find_axes(lsystem.grow(text), lsystem.ORGANS)
    assert axes.after[0] == 2, "that which turns least and is not much thinner"
    assert axes.run.tolist() == [0, 1, 0, 2]
    text = "steps: 1\naxiom: F(0.1, 0.010) [ +(40) F(0.1, 0.008) ] F(0.1, 0.003)\n"
    axes = find_axes(lsystem.grow(text), lsystem.ORGANS)
    assert axes.run.tolist() == [0, 1, 0], "the axis goes on, however thin"


@pytest.mark.parametrize("degrees", [20, 45, 90, 110])
@pytest.mark.parametrize("radius", [0.003, 0.010])
def test_a_branch_flows_into_its_parent(degrees, radius):
    """Parent and branch are one closed surface; the branch has its foot on the parent's faces, follows the parent's
    bones there and has nearly its normals; around it the surface has no fold."""
    text = f"steps: 1\naxiom: F(0.1, 0.01) [ &({degrees}) F(0.1, {radius}) F(0.1, {radius}) ] F(0.1, 0.01)\n"
    skeleton = lsystem.grow(text)
    axes = find_axes(skeleton, lsystem.ORGANS)
    surface = build_tubes(skeleton, axes, detail.HIGH, GEOMETRY)
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


def test_texture_goes_on_around_a_foot():
    """Every triangle around it has the UVs of the parent's tube: once around, metres along."""
    text = "steps: 1\naxiom: F(0.1, 0.01) [ &(50) F(0.1, 0.004) ] F(0.1, 0.01)\n"
    skeleton = lsystem.grow(text)
    axes = find_axes(skeleton, lsystem.ORGANS)
    surface = build_tubes(skeleton, axes, detail.HIGH, GEOMETRY)
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


@pytest.mark.parametrize("level", ["LOW", "MEDIUM", "HIGH"])
@pytest.mark.parametrize("angle", [15, 30, 50, 90])
@pytest.mark.parametrize("short", [0.1, 0.6, 2.0])
def test_short_internodes_and_pairs(angle, short, level):
    radius = 0.003
    branch = f"[&({angle}) F(.04,{radius * 0.5}) F(.04,{radius * 0.5})]"
    between = f"F({short * radius},{radius})"
    text = f"axiom: F(.04,{radius}) {branch} {between} /(137) {branch} /(180) {branch} {between} F(.04,{radius})\n"
    skeleton = lsystem.grow(f"steps: 0\n{text}")
    axes = find_axes(skeleton, lsystem.ORGANS)
    surface = build_tubes(skeleton, axes, getattr(detail, level), GEOMETRY)
    check_edges(surface)
