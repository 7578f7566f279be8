# SPDX-License-Identifier: GPL-3.0-or-later
"""What the text says of segments besides where they are: materials, pins, tropism, pipe model, blades, polygons."""

import math

import numpy as np
import pytest

from lsystem import ORGANS, LSystemError, Skeleton, grow


def drawn(string: str, header: str = "") -> Skeleton:
    return grow(f"{header}\naxiom: {string}")


def test_settings_hold_for_what_follows_until_the_bracket_ends():
    skeleton = drawn(
        "F @young(2e9) @density(700) F [ @damping(0.5) @young(1e6) F ] F @pin(1) F @pin(0) @strength(3e7) "
        "@joint(0.2) F @poisson(0.1) F",
        "material stem young=5 density=900 damping=0.1 poisson=0.4 strength=7",
    )
    assert skeleton.young.tolist() == [5, 2e9, 1e6, 2e9, 2e9, 2e9, 2e9]
    assert skeleton.density.tolist() == [900, *[700] * 6]
    assert skeleton.damping.tolist() == [0.1, 0.1, 0.5, 0.1, 0.1, 0.1, 0.1]
    assert skeleton.pinned.tolist() == [False, False, False, False, True, False, False]
    assert skeleton.strength.tolist() == [7, 7, 7, 7, 7, 3e7, 3e7]
    assert skeleton.joint.tolist() == [1, 1, 1, 1, 1, 0.2, 0.2]
    assert skeleton.poisson.tolist() == [0.4] * 6 + [0.1]


def test_organs_and_colours():
    skeleton = drawn("F [ @organ(petiole) F(0.1, 0.001) ' F ~Leaf ] F '(7) F ' F")
    assert [ORGANS[organ] for organ in skeleton.organ] == [
        "stem", "petiole", "petiole", "leaf", "stem", "stem", "stem",
    ]  # fmt: skip
    assert skeleton.colour.tolist() == [0, 0, 1, 1, 0, 7, 8]
    assert skeleton.axis.tolist() == [0, 1, 1, 2, 0, 0, 0]
    assert drawn("F(1, 0.3) @organ(fruit) F(1, 0.3) @organ(leaf) F(1, 0.2)").width.tolist() == [0, 0.6, 0.4]


def test_materials_by_default():
    skeleton = drawn("F ~Petiole ~Leaf ~Leaf ~Flower ~Bud ~Fruit ~Petal")
    assert np.isnan(skeleton.young[0])  # a stem is as the panel says
    for column in (skeleton.young, skeleton.poisson, skeleton.density, skeleton.damping):
        assert (column[1:] > 0).all()
    # leaves and flowers hang softly on what they grow from, but a leaf's second piece does not on its first
    assert skeleton.joint.tolist() == [1, 1, 0.5, 1, 0.7, 1, 0.7, 0.5]
    stated = drawn("F ~Petiole ~Leaf", "material leaf young=3e7")
    assert (stated.young[2], stated.joint[2]) == (3e7, 1)
    assert drawn("F ~Petiole ~Leaf ~Leaf", "material leaf joint=0.3").joint.tolist() == [1, 1, 0.3, 1]


@pytest.mark.parametrize(
    ("string", "column", "message"),
    [
        ("@young(0) F", 8, "@young must be above 0 Pa: @young(0)"),
        ("F @poisson(0.6) F", 10, "@poisson must be above -1"),
        ("@density F", 8, "@density takes 1 parameter, not 0 parameters"),
        ("@organ(9) F", 8, "@organ must be one of stem, petiole"),
        ("@organ(wood) F", 15, "unknown name 'wood'"),
        ("@pin(2) F", 8, "@pin must be 0 or 1"),
        ("@tropism(0,0,-1) F", 8, "@tropism takes 4 parameters, not 3"),
        ("'(-1) F", 8, "a colour must be a whole number"),
        ("~Leaf(1,1,1,0)", 8, "a blade has 1 to 64 whole segments"),
        ("{ . F", 8, "this '{' is never closed"),
        ("F . }", 12, "this '}' closes nothing"),
    ],
)
def test_impossible_settings(string: str, column: int, message: str):
    with pytest.raises(LSystemError) as caught:
        drawn(string)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (2, column)


def test_turtle_is_rolled_to_the_horizontal():
    """ABOP, section 3.3: after $ the turtle's left side is horizontal and its up side up, its heading as before."""
    skeleton = drawn("+(30)&(20)/(77) F $ F")
    w, x, y, z = skeleton.frame[1]
    right = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    up = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    assert right[2] == pytest.approx(0, abs=1e-12)
    assert up[2] > 0
    np.testing.assert_allclose(skeleton.direction()[1], skeleton.direction()[0], atol=1e-12)
    assert np.isfinite(drawn("F $ F").frame).all()


def test_tropism_turns_towards_its_direction():
    """The angle is e |H x T| after each segment."""
    skeleton = drawn("&(90) F F F", "tropism: 0, 0, -1, 0.2")
    angles = np.arcsin(-skeleton.direction()[:, 2])
    wanted = [0.0]
    for _ in range(2):
        wanted.append(wanted[-1] + 0.2 * math.cos(wanted[-1]))
    np.testing.assert_allclose(angles, wanted, atol=1e-12)
    hanging = drawn("&(90) " + "F" * 100, "tropism: 0, 0, -1, 0.2")
    assert hanging.direction()[-1, 2] == pytest.approx(-1, abs=1e-6)
    both = drawn("&(90) F @elasticity(0.2) F F [ @tropism(0, 0, 1, 0.4) F F ] F", "tropism: 0, 0, -1, 0")
    z = both.direction()[:, 2]
    assert z[1] == pytest.approx(0, abs=1e-12)
    assert z[2] == pytest.approx(-math.sin(0.2))
    assert z[4] > z[3]
    assert z[5] == pytest.approx(z[3])


def test_pipe_model():
    """Radii of stems by what they carry; r^2.5 is the sum over the branches."""
    skeleton = drawn("F(1, 9) [ +(30) F(1, 0.02) ] [ -(30) F(1, 0.01) F(1, 0.03) ] F(1, 0.01) ~Leaf", "pipe: 2.5")
    r = skeleton.radius_tip
    assert r[0] == pytest.approx((0.02**2.5 + 0.03**2.5 + 0.01**2.5) ** 0.4)
    assert r[1:5].tolist() == pytest.approx([0.02, 0.03, 0.03, 0.01])
    assert skeleton.radius_base.tolist()[:5] == pytest.approx([r[0], 0.02, 0.03, 0.03, r[0]])
    assert r[5] == drawn("~Leaf").radius_tip[0]
    chain = drawn("F" * 50 + "F(1, 0.004)", "pipe: 2")
    np.testing.assert_allclose(chain.radius_tip, 0.004)


def test_width_falls_by_the_taper():
    skeleton = drawn("!(0.02) F ! F [ ! F ] F", "taper: 0.5")
    assert skeleton.radius_tip.tolist() == pytest.approx([0.01, 0.005, 0.0025, 0.005])


def test_unit_of_lengths():
    skeleton = drawn("F F(3, 0.5) f(2) !(1) F ~Leaf(4, 2, 0.1) ~Bud", "unit: 0.01\nlength: 2\nradius: 0.3")
    assert skeleton.length.tolist() == pytest.approx([0.02, 0.03, 0.02, 0.04, 0.01])
    assert skeleton.radius_tip[:3].tolist() == pytest.approx([0.003, 0.005, 0.005])
    assert skeleton.width[3] == pytest.approx(0.02)


def test_blade_of_several_segments():
    """Length, area and mass are those of one segment; it bends by as much as the text says (Garcia 2023, fig. 9.2)."""
    single = drawn("&(90) ~Leaf(0.2, 0.06, 0.0004)")
    blade = drawn("&(90) ~Leaf(0.2, 0.06, 0.0004, 5, 50) F")
    leaf = blade.organ == ORGANS.index("leaf")
    assert leaf.sum() == 5
    assert blade.parent.tolist() == [-1, 0, 1, 2, 3, 4]
    assert set(blade.axis[leaf]) == {0}
    assert blade.length[leaf].sum() == pytest.approx(0.2)
    assert (blade.length * blade.width)[leaf].sum() == pytest.approx(0.2 * 0.06)
    volume = (math.pi * blade.radius_tip**2 * blade.length)[leaf].sum()
    assert volume == pytest.approx(float(math.pi * single.radius_tip[0] ** 2 * single.length[0]))
    slope = np.degrees(np.arcsin(-blade.direction()[:, 2]))
    assert slope.tolist() == pytest.approx([0, 10, 20, 30, 40, 50])
    assert int(np.argmax(blade.width[leaf])) in (1, 2)
    assert drawn("~Petal(0.03, 0.02, 0.0003, 2)").organ.tolist() == [ORGANS.index("petal")] * 2


def test_polygons_hang_as_leaves():
    # the outline of the leaf of ABOP, figure 1.25: six edges f, 22.5 degrees
    skeleton = drawn("F(1) [ &(60) {-f+f+f-|-f+f+f} ] F", "angle: 22.5\nlength: 0.1")
    assert [ORGANS[organ] for organ in skeleton.organ] == ["stem", "leaf", "stem"]
    assert skeleton.parent.tolist() == [-1, 0, 0]
    (polygon,) = skeleton.polygons
    assert polygon.segment == 1
    assert len(polygon.vertices) == 6
    a, b = math.radians(22.5), 0.1
    # two trapezia with parallel sides b and b + 2 b cos a, b sin a apart
    area = 2 * 0.5 * (b + b + 2 * b * math.cos(a)) * b * math.sin(a)
    assert 0.7 * skeleton.length[1] * skeleton.width[1] == pytest.approx(area, rel=1e-9)
    np.testing.assert_allclose(skeleton.head[1], polygon.vertices[0], atol=1e-12)
    np.testing.assert_allclose(skeleton.head[1], skeleton.tail()[0], atol=1e-12)  # where `{` was, on the stem
    farthest = np.linalg.norm(polygon.vertices - polygon.vertices[0], axis=1).max()
    assert skeleton.length[1] == pytest.approx(farthest)
    square = drawn("F { [ +(90) G(0.2) . ] G(0.1) . -(90) f(0.3) }")
    assert len(square.polygons) == 1
    assert len(square.polygons[0].vertices) == 3
    assert len(drawn("F {. G . }").polygons) == 0
    assert drawn("F F(0.001) [ {.f(0.1)+(90)f(0.1).} ] F").prune(0.01).polygons[0].segment == 1


@pytest.mark.parametrize(
    "text",
    [
        "pipe: 2\naxiom: !(5e-324) F",
        "pipe: 2\ntaper: 0.01\nsteps: 200\naxiom: A F\nA -> ! A",
        "pipe: 90\naxiom: F(0.1, 1) [ F(0.1, 1e-50) ]",
        "axiom: F(0.1, 1e-50)",
    ],
)
def test_no_segment_is_without_thickness(text: str):
    """A radius of 0 would mean another thing to a bone."""
    skeleton = grow(text)
    assert (skeleton.radius_tip >= 1e-9).all()
    assert (skeleton.radius_base >= 1e-9).all()


def test_the_turtle_may_read_fewer_parameters():
    """As of the book's own F(x, t), whose t is an age."""
    skeleton = grow("parameters: 1\naxiom: F(0.1, 7, 8) !(0.01, 3) F(0.2, 0)")
    assert skeleton.length.tolist() == [0.1, 0.2]
    assert skeleton.radius_tip.tolist() == [0.002, 0.005]
    with pytest.raises(LSystemError, match="F takes"):
        grow("axiom: F(0.1, 7, 8)")
    with pytest.raises(LSystemError, match="parameters must be a whole number from 1 to 2"):
        grow("parameters: 3\naxiom: F")
