# SPDX-License-Identifier: GPL-3.0-or-later
"""Small plants, and what tests ask of the faces of a skin."""

import numpy as np

#: Presets whose skins take seconds: tests of many presets leave them to the full form.
LARGE = {
    "bamboo", "conifer", "crowded_tree", "fern", "hedge", "lavender", "light_seeker", "old_oak", "silver_birch",
    "ternary_tree", "wall_climber", "willow", "winter_tree", "young_oak",
}  # fmt: skip

CHAIN = """
steps: 1
axiom: A(0)
A(n) -> F(0.05, 0.005) F(0.05, 0.005) F(0.05, 0.005) F(0.05, 0.005)
"""
LEAFY = """
steps: 6
axiom: F(0.03, 0.004) A(0)
A(n) : n < 5 -> F(0.03, 0.004 - 0.0004*n) [ &(70) ~Petiole(0.03, 0.001) &(20) ~Leaf(0.08, 0.05) ] /(137.5) A(n+1)
A(n) : n >= 5 -> [ &(40) F(0.03, 0.001) ~Flower(0.01, 0.03) ] [ ^(40) S ~Fruit(0.02, 0.02) ] ~Bud(0.012, 0.006)
S -> F(0.03, 0.001)
"""


def directed_edges(surface):
    """All edges (e, 2) of all faces, in the direction in which the face goes around."""
    return np.concatenate(
        [
            np.stack([face, np.roll(face, -1, axis=1)], axis=2).reshape(-1, 2)
            for face in (surface.quads, surface.triangles)
        ]
    )


def numbered(edges):
    """A number (e,) for each of the edges (e, 2), the same for the same edge in the same direction: sorting numbers is
    many times faster than sorting rows."""
    return edges[:, 0] * (edges.max() + 1) + edges[:, 1]


def all_differ(numbers):
    """Whether no number stands twice. NumPy's `unique` by hashes is many times slower where numbers are regular."""
    return (np.diff(np.sort(numbers)) > 0).all()


def pieces(count, edges):
    """(count,) the lowest vertex of the piece that edges (e, 2) hold each together with."""
    piece = np.arange(count)
    while True:
        lowest = piece.copy()
        np.minimum.at(lowest, edges[:, 0], piece[edges[:, 1]])
        np.minimum.at(lowest, edges[:, 1], piece[edges[:, 0]])
        lowest = lowest[lowest]
        if (lowest == piece).all():
            return piece
        piece = lowest


def components(count, edges):
    """One vertex of each piece that edges hold together."""
    return np.unique(pieces(count, edges))


def corners(surface):
    return [surface.vertices[face] for face in (surface.quads, surface.triangles)]


def areas(surface):
    quads, triangles = corners(surface)
    of_quads = np.linalg.norm(np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]), axis=1) / 2
    of_triangles = (
        np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) / 2
    )
    return np.concatenate([of_quads, of_triangles])


def signed_volume(surface):
    quads, triangles = corners(surface)
    pieces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]], triangles])
    return np.einsum("fi,fi->f", pieces[:, 0], np.cross(pieces[:, 1], pieces[:, 2])).sum() / 6


def check_skin(skin, skeleton):
    """Faces that have a size and agree on their side, weights that sum to 1."""
    surface = skin.surface
    assert np.isfinite(surface.vertices).all()
    assert np.isfinite(surface.quad_uv).all()
    np.testing.assert_allclose(surface.weights.sum(axis=1), 1.0, atol=1e-12)
    assert (surface.weights >= 0).all()
    assert ((surface.bones >= 0) & (surface.bones < len(skeleton))).all()
    assert areas(surface).min() > 0.0
    used = np.concatenate([surface.quads.ravel(), surface.triangles.ravel()])
    assert np.bincount(used, minlength=len(surface.vertices)).all(), "loose vertices"
    assert all_differ(numbered(directed_edges(surface))), "faces that share an edge disagree on their side"
    assert len(skin.variation) == len(skeleton)
    assert len(skin.chance) == len(surface.vertices)
    assert np.isin(np.arange(len(skeleton)), surface.segment).all(), "a segment without a surface"


def check_edges(surface):
    edges = directed_edges(surface)
    both = np.concatenate([edges, edges[:, ::-1]])
    there, back = np.split(numbered(both), 2)
    assert all_differ(there), "used twice"
    assert np.isin(back, there).all(), "every edge is between two faces"
    pieces = np.concatenate([surface.vertices[surface.quads][:, :3], surface.vertices[surface.triangles]])
    assert np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1).min() > 0.0
