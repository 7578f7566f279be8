# SPDX-License-Identifier: GPL-3.0-or-later
"""The turtle against frames, positions and trees worked out by hand."""

import math

import numpy as np
import pytest

from lsystem import ORGANS, LSystemError, Skeleton, derive, grow, interpret, parse, parse_modules


def drawn(string: str, header: str = "") -> Skeleton:
    return grow(f"{header}\naxiom: {string}")


def axes(skeleton: Skeleton, index: int) -> np.ndarray:
    """Rows R, H, U of a segment's frame in the plant's."""
    w, x, y, z = skeleton.frame[index]
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


X, Y, Z = np.eye(3)


@pytest.mark.parametrize(
    ("string", "right", "heading", "up"),
    [
        ("F", X, Z, -Y),
        ("+(90)F", Z, -X, -Y),  # H to L
        ("-(90)F", -Z, X, -Y),
        ("&(90)F", X, Y, Z),  # H away from U
        ("^(90)F", X, -Y, -Z),
        ("\\(90)F", -Y, Z, -X),  # L goes to -U, so R goes to U
        ("/(90)F", Y, Z, X),
        ("|F", -X, -Z, -Y),
        ("\\(90)+(90)F", Z, Y, -X),
        ("/(90)&(90)F", Y, -X, Z),
    ],
)
def test_frames(string: str, right: np.ndarray, heading: np.ndarray, up: np.ndarray):
    np.testing.assert_allclose(axes(drawn(string), 0), [right, heading, up], atol=1e-15)


def test_angles_are_degrees_and_default_to_the_header():
    skeleton = drawn("+(30)F(2)+F(2)", "angle: 30")
    np.testing.assert_allclose(skeleton.head[1], [-1, 0, math.sqrt(3)], atol=1e-15)
    np.testing.assert_allclose(skeleton.tail()[1], [-1 - math.sqrt(3), 0, math.sqrt(3) + 1], atol=1e-15)


def test_closed_koch_island():
    skeleton = grow("angle: 90\nlength: 1\nsteps: 3\naxiom: F-F-F-F\nF -> F-F+F+FF-F-F+F")
    assert len(skeleton) == 4 * 8**3
    np.testing.assert_allclose(skeleton.tail()[-1], 0, atol=1e-10)
    assert set(skeleton.axis) == {0}


def test_frames_stay_unit_over_many_turns():
    skeleton = drawn("+(37.3)&(11.1)/(71.9)F(0.001)" * 5000)
    np.testing.assert_allclose(np.linalg.norm(skeleton.frame, axis=1), 1.0, atol=1e-14)


def test_tree_order_axis_and_tubes():
    #              0 1  2 3  4    5   6
    skeleton = drawn("F F[+F F[-F]]F[&F]F")
    assert skeleton.parent.tolist() == [-1, 0, 1, 2, 3, 1, 5, 5]
    assert skeleton.order.tolist() == [0, 0, 1, 1, 2, 0, 1, 0]
    assert skeleton.axis.tolist() == [0, 0, 1, 1, 2, 0, 3, 0]


def test_several_roots():
    skeleton = drawn("[F F][&(10)F]")
    assert (skeleton.parent.tolist(), skeleton.order.tolist(), skeleton.axis.tolist()) == (
        [-1, 0, -1],
        [0, 0, 0],
        [0, 0, 1],
    )


def test_move_leaves_a_gap_and_starts_a_tube():
    skeleton = drawn("F(1)f(0.5)F(1)")
    assert skeleton.parent.tolist() == [-1, 0]
    assert skeleton.axis.tolist() == [0, 1]
    np.testing.assert_allclose(skeleton.head[1], [0, 0, 1.5], atol=1e-15)


def test_radii_diameter_and_taper():
    skeleton = drawn("F F(1, 0.02) [F] !(0.01) F F(1, 0.003)", "radius: 0.03")
    assert skeleton.radius_tip.tolist() == [0.03, 0.02, 0.03, 0.005, 0.003]
    assert skeleton.radius_base.tolist() == [0.03, 0.03, 0.03, 0.02, 0.005]


def test_organs_are_segments_with_materials():
    text = (
        "material stem young=2e8 poisson=0.25 density=900 damping=0.01\nmaterial leaf density = 7*100\n"
        "axiom: F [ &(90) ~Petiole(0.1, 0.002) ~Leaf(0.2, 0.1) ~Leaf(0.1, 0.05, 0.0006) ] ~Flower(0.02, 0.04) ~Bud"
    )
    skeleton = grow(text)
    assert [ORGANS[organ] for organ in skeleton.organ] == ["stem", "petiole", "leaf", "leaf", "flower", "bud"]
    assert skeleton.parent.tolist() == [-1, 0, 1, 2, 0, 4]
    assert skeleton.axis.tolist() == [0, 1, 2, 2, 3, 4]
    assert skeleton.order.tolist() == [0, 1, 1, 1, 0, 0]
    assert skeleton.width.tolist() == [0, 0, 0.1, 0.05, 0.04, 0.005]
    np.testing.assert_allclose(skeleton.tail()[3], [0, 0.4, 0.1], atol=1e-15)
    assert skeleton.young[0] == 2e8
    assert skeleton.poisson[0] == 0.25
    assert skeleton.damping[0] == 0.01
    assert skeleton.density[2] == 700
    assert np.isfinite(skeleton.young).all()  # what the text does not say is typical of the organ
    # the rod has the leaf's volume
    volume = math.pi * skeleton.radius_tip[2] ** 2 * 0.2
    assert volume == pytest.approx(0.7 * 0.2 * 0.1 * 3e-4)


def test_unknown_symbols_draw_nothing():
    assert len(drawn("A B(1,2,3) F X_1 F")) == 2


def test_short_segments_are_pruned_and_children_reattached_unmoved():
    grammar = parse("axiom: F(1)F(0.001)[+(90)F(1)]F(0.002)F(1)")
    modules = derive(grammar)
    whole, pruned = interpret(modules, grammar), interpret(modules, grammar, prune_below=0.01)
    assert pruned.parent.tolist() == [-1, 0, 0]
    np.testing.assert_array_equal(pruned.head, whole.head[[0, 2, 4]])


def test_pruned_roots_leave_roots():
    grammar = parse("axiom: F(0.001)F(1)")
    assert interpret(derive(grammar), grammar, prune_below=0.01).parent.tolist() == [-1]


@pytest.mark.parametrize(
    ("string", "column", "message"),
    [
        ("F[+F", 9, "never closed"),
        ("F]F", 9, "closes nothing"),
        ("F(1,2,3)", 8, "F takes (length, radius), not 3 parameters: F(1, 2, 3)"),
        ("F +(1,2)", 10, "+ takes (angle)"),
        ("FF!(1,2)", 10, "! takes (diameter)"),
        ("F(0)", 8, "a length must be above 0"),
        ("F(-1)", 8, "a length must be above 0"),
        ("F(1, 0)", 8, "a radius must be above 0"),
        ("F!(-0.1)", 9, "a diameter must be above 0"),
        ("f(1e9)", 8, "a length must be above 0 and at most 100000 m"),
        ("F(9e4)F(9e4)", 14, "leads further than 100000 m"),
        ("F ~Leaf(1)", 10, "~Leaf takes (length, width, thickness, segments, bend) or nothing"),
        ("F ~Bud(1, 1, 1)", 10, "~Bud takes (length, diameter) or nothing"),
        ("F ~Petiole(1, 0)", 10, "a radius must be above 0"),
        ("F [(1) F]", 10, "[ takes no parameters"),
        ("A", 0, "draws no segment"),
    ],
)
def test_impossible_turtle_modules(string: str, column: int, message: str):
    with pytest.raises(LSystemError) as caught:
        grow(f"axiom: {string}")
    assert message in caught.value.message
    assert caught.value.column == column
    assert caught.value.line == (1 if column else 0)


def test_deep_nesting_does_not_recurse():
    grammar = parse("axiom: A")
    skeleton = interpret(parse_modules("[F(0.01)" * 20_000 + "]" * 20_000), grammar)
    assert skeleton.order[-1] == 19_999


@pytest.mark.parametrize("before", ["", "+(30) /(50)", "&(180)", "^(90) /(200) +(77)"])
def test_the_turtle_turns_to_directions_of_the_world(before):
    skeleton = drawn(f"{before} @heading(0, 3, 4) F @up(1, 0, 1) F @up(0, 3, 4) F")
    heads = [np.array(axes(skeleton, i)) for i in range(3)]
    assert heads[0][1] == pytest.approx([0, 0.6, 0.8])
    assert heads[1][1] == pytest.approx([0, 0.6, 0.8])
    # the part of the direction that is across the heading
    across = np.array([1, 0, 1]) - 0.8 * np.array([0, 0.6, 0.8])
    assert heads[1][2] == pytest.approx(across / np.linalg.norm(across))
    assert heads[2].tolist() == [pytest.approx(row) for row in heads[1].tolist()], "along the heading it says nothing"
