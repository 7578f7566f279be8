# SPDX-License-Identifier: GPL-3.0-or-later
"""Flowers, buds and fruits, and copies of them in place of what would be modelled."""

import numpy as np
import pytest

import lsystem
from plant_dynamics_addon.grow.mesh import detail
from plant_dynamics_addon.grow.mesh.axes import BLADE, find_axes
from plant_dynamics_addon.grow.mesh.copies import leaf_copies, organ_copies
from plant_dynamics_addon.grow.mesh.flowers.kinds import FlowerShape, bud, flower, fruit
from plant_dynamics_addon.grow.mesh.leaves.blades import BladeShape, build_blades
from plant_dynamics_addon.grow.mesh.skin import build_skin
from plant_dynamics_addon.grow.mesh.surface import PARTS
from tests.grow.geometry import UNWELDED
from tests.grow.skins import LEAFY, areas, directed_edges, numbered, pieces

BALL = FlowerShape(fruit_is_ball=True)
KINDS = {kind: lambda finesse, kind=kind: flower(FlowerShape(kind=kind), finesse)
         for kind in ("radial", "head", "orchid", "panicle branch", "tulip", "daffodil", "grain", "rose",
                      "plume", "funnel")}  # fmt: skip
KINDS |= {
    "notched": lambda finesse: flower(FlowerShape(notch=0.4), finesse),
    "filled": lambda finesse: flower(FlowerShape(whorls=5, centre=0.0), finesse), "bud": bud,
    "fruit": lambda finesse: fruit(FlowerShape(), finesse), "ball": lambda finesse: fruit(BALL, finesse),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_templates_are_sound_and_coarser_with_less_finesse(kind):
    sizes = []
    for finesse in (detail.HIGH.petals, detail.MEDIUM.petals, detail.LOW.petals):
        template = KINDS[kind](finesse)
        assert np.isfinite(template.vertices).all()
        assert areas(template).min() > 0.0
        edges = directed_edges(template)
        assert len(np.unique(numbered(edges))) == len(edges), "faces that share an edge disagree on their side"
        assert {tuple(edge) for edge in edges.tolist()} == {tuple(edge[::-1]) for edge in edges.tolist()}, "a gap"
        assert np.hypot(*template.vertices[:, [0, 2]].T).max() < 1.25, "about as wide as it says"
        assert set(template.quad_part) <= {PARTS.index(part) for part in ("petal", "sepal", "flower_centre", "fruit")}
        sizes.append(len(template.vertices))
    assert sizes[0] > sizes[2]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("kind", KINDS)
def test_sepals_are_where_the_stalk_enters(kind):
    """Stalks reach the template at its origin, flowers and fruits go on from there."""
    template = KINDS[kind](detail.HIGH.petals)
    is_sepal = template.quad_part == PARTS.index("sepal")
    if kind in {"ball", "grain", "orchid", "panicle branch", "plume"}:
        assert not is_sepal.any()
        return
    sepals, others = (template.vertices[np.unique(template.quads[some])] for some in (is_sepal, ~is_sepal))
    assert sepals[:, 1].min() < 0.1
    if kind != "bud":  # closed in them
        assert sepals[:, 1].mean() < others[:, 1].mean()


def test_a_tulips_inner_petals_lie_within_the_outer_ones():
    """Above their bases, at every height; no outer petal goes through the next, nor does an inner one."""
    template = flower(FlowerShape(kind="tulip"), detail.HIGH.petals)
    quads = template.quads[template.quad_part == PARTS.index("petal")]
    lowest = pieces(len(template.vertices), np.concatenate([quads[:, :2], quads[:, 2:], quads[:, 1:3]]))[quads[:, 0]]
    petals = [template.vertices[np.unique(quads[lowest == one])] for one in np.unique(lowest)]
    assert len(petals) == 6
    radius = [np.hypot(petal[:, 0], petal[:, 2]) for petal in petals]
    for inner, within in zip(petals[3:], radius[3:], strict=True):
        for outer, around in zip(petals[:3], radius[:3], strict=True):
            for height in np.linspace(0.3, 0.95, 14):
                one, other = (np.abs(petal[:, 1] - height) < 0.05 for petal in (inner, outer))
                assert within[one].max() < around[other].min(), height
    for petal in petals:
        angle = np.arctan2(petal[:, 2], petal[:, 0])[petal[:, 1] > 0.1]
        middle = np.angle(np.exp(1j * angle).mean())
        assert np.abs(np.angle(np.exp(1j * (angle - middle)))).max() < np.pi / 3


def test_a_fruits_calyx_is_near_the_end_of_its_stalk():
    skeleton = lsystem.grow("axiom: F(0.1, 0.001) &(70) ~Petiole(0.02, 0.001) ~Fruit(0.03, 0.03)")
    surface = build_skin(skeleton, lsystem.ORGANS, UNWELDED).surface
    calyx = surface.vertices[np.unique(surface.quads[surface.quad_part == PARTS.index("sepal")])]
    assert np.linalg.norm(calyx - skeleton.head[-1], axis=1).max() < 0.5 * 0.03
    assert np.linalg.norm(calyx - skeleton.tail()[-1], axis=1).min() > 0.8 * 0.03


@pytest.mark.parametrize("level", ["LOW", "MEDIUM", "HIGH"])
def test_a_heads_disc_is_full_of_florets_up_to_its_rays(level):
    """Open yellow ones at the rim, brown buds in the middle, nowhere a bald place as wide as a floret."""
    shape = FlowerShape(kind="head", whorls=0, centre=0.44)  # without its rays
    template = flower(shape, getattr(detail, level).petals)
    x, y, z = template.vertices.T
    distance = np.hypot(x, z) / shape.centre
    gap = 0.95 / np.sqrt(420 * getattr(detail, level).petals)
    for part, near, far in (("flower_centre", 0.05, 0.55), ("petal", 0.84, 0.97)):
        some = np.unique(template.quads[template.quad_part == PARTS.index(part)])
        some = some[(y[some] > 0.7) & (distance[some] < 1.05)]
        for at in np.linspace(near, far, 5):
            angle = np.linspace(0.0, 2 * np.pi, 120)
            away = np.hypot(at * np.sin(angle)[:, None] - x[some] / shape.centre,
                            at * np.cos(angle)[:, None] - z[some] / shape.centre)  # fmt: skip
            assert away.min(axis=1).max() < gap, (part, at)


def test_balls_are_round():
    x, y, z = fruit(BALL).vertices.T
    assert np.sqrt(x**2 + (2.0 * (y - 0.5)) ** 2 + z**2) == pytest.approx(1.0)


@pytest.fixture
def leafy():
    skeleton = lsystem.grow(LEAFY)
    axes = find_axes(skeleton, lsystem.ORGANS)
    return skeleton, axes, np.random.default_rng(0).random((len(skeleton), 4))


def placed(copies, axes, number):
    """The template's vertices where the copy with this number is."""
    up = np.cross(copies.right[number], copies.along[number])
    turn = np.stack([copies.right[number], copies.along[number], up], axis=1)
    return axes.head[copies.segment[number]] + (copies.template.vertices * copies.scale[number]) @ turn.T


@pytest.mark.parametrize("kind", ["radial", "orchid", "plume"])
def test_copies_are_where_organs_would_be_modelled(leafy, kind):
    skeleton, axes, variation = leafy
    shape = FlowerShape(kind=kind)
    copies = organ_copies(skeleton, axes, shape, detail.LOW, variation)
    assert [one.name for one in copies] == ["Flower", "Bud", "Fruit"]
    for one in copies:
        places = np.concatenate([placed(one, axes, k) for k in range(len(one.segment))])
        np.testing.assert_allclose(places, one.joined().vertices, atol=1e-12)


def test_a_leafs_copy_is_as_long_and_wide_as_the_leaf(leafy):
    skeleton, axes, variation = leafy
    copies = leaf_copies(skeleton, axes, BladeShape(), detail.HIGH, variation)
    assert len(copies) == 4
    segments = np.concatenate([one.segment for one in copies])
    assert sorted(segments) == np.flatnonzero(axes.is_organ("leaf")).tolist()
    flat = BladeShape(fold_degrees=0.0, arch=0.0, droop=0.0, margin_curl=0.0, waves=0.0)
    for one in leaf_copies(skeleton, axes, flat, detail.HIGH, variation):
        run = axes.run[one.segment[:1]]
        blade = build_blades(skeleton, axes, flat, detail.HIGH, variation, run).vertices - axes.head[one.segment[0]]
        copy = placed(one, axes, 0) - axes.head[one.segment[0]]
        for axis in (one.right[0], one.along[0]):
            assert np.ptp(copy @ axis) == pytest.approx(np.ptp(blade @ axis), rel=0.2), "it does not bend"


def test_what_is_copied_is_left_out_of_the_skin(leafy):
    skeleton, axes, _ = leafy
    whole, rest = (
        build_skin(skeleton, lsystem.ORGANS, UNWELDED, detail=detail.LOW, instanced=instanced)
        for instanced in (False, True)
    )
    copied = np.concatenate([one.segment for one in rest.copies])
    assert not np.isin(rest.surface.segment, copied).any()
    np.testing.assert_array_equal(np.unique(whole.surface.segment), np.union1d(rest.surface.segment, copied))
    np.testing.assert_array_equal(whole.blade_area, rest.blade_area)
    assert len(axes.runs_of(BLADE)) == np.count_nonzero(axes.is_organ("leaf"))
