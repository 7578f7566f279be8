# SPDX-License-Identifier: GPL-3.0-or-later
"""Tubes of cpfg: where they go, what they are across, and the rods that stand for them."""

from dataclasses import replace

import numpy as np
import pytest

from lsystem import ORGANS, derive, interpret, parse
from lsystem.base.contours import CIRCLE, moments_of
from lsystem.language.beside.kinds import Beside, Texture, View
from tests.lsystem.cpfg.one_string import drawn, places

# an ellipse six times as wide along U as along L
WIDE = CIRCLE * np.array([12.0, 2.0])


def test_tubes_follow_their_control_points():
    skeleton = drawn("f(1)@Gs f(1)[+(90)f(1)@Ge(2)]@Gc(3)f(1)@Ge(1)f(1){(1)f(1)f(1)}(1)f(1)", width=0.1)
    # straight on in one piece each; aside, by a curve, in two; the last is a tube of its own
    along = np.abs(skeleton.head[:, 0]) + np.abs(skeleton.tail()[:, 0]) < 1e-9
    assert skeleton.length[along].tolist() == pytest.approx([0.01, 0.01, 0.01])
    assert along.tolist() == [True, False, False, True, True]
    assert skeleton.axis.tolist() == [0, 1, 1, 0, 2]
    assert places(skeleton)[2] == pytest.approx([-1, 2, 0], abs=1e-9)


def test_flat_contours_are_blades():
    skeleton = drawn("#(0.1)@#(1)@Gs f(1)@Gc(1)f(1)@#(0)@Gc(1)f(1)@Ge(1)", contours={1: WIDE, 2: CIRCLE})
    assert [ORGANS[organ] for organ in skeleton.organ] == ["leaf", "stem", "stem"]
    assert skeleton.width[0] == pytest.approx(0.01 * 0.05 * 24.0, rel=1e-3)
    assert [one.segment for one in skeleton.contours] == [0, 1], "from one contour to another, and round"


def test_rolls_before_a_control_point_are_the_tubes_where_the_view_says_so():
    string = "@#(1)@Gs f(2)/(90)@Gc(1)f(2)#(0.5)@Gc(1)+(90)f(1)f(1)/(30)@Ge(4)"
    for twists in (True, False):
        skeleton = drawn(string, contours={1: WIDE}, tubes_twist=twists, width=1.0)
        first, second = skeleton.contours[:2]
        w, x, y, z = skeleton.frame[0]
        wide = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
        w, x, y, z = skeleton.frame[1]
        other = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
        # 90 degrees evenly along the first, so half of them in its middle
        assert abs(wide @ other) == pytest.approx(0.5**0.5 if twists else 1.0, abs=1e-6)
        assert np.ptp(second.base, axis=0).max() == pytest.approx(2 * np.ptp(second.tip, axis=0).max(), rel=1e-3)
        assert np.ptp(second.base, axis=0).max() == pytest.approx(0.01 * 0.5 * 24, rel=1e-3)
        if not twists:
            assert np.ptp(first.tip, axis=0) == pytest.approx(np.ptp(second.base, axis=0), rel=1e-6)


def test_a_tube_may_begin_and_end_in_points():
    """Radii as Hermite's cubic has them with the slopes of @Gr; worked out at the quarters."""
    skeleton = drawn("!(0)@Gr(0,0,-90,0.8)@Gs f(4)!(0)@Gr(40,0.6,0,0)@Ge(8)!(1)F(3)", width=1.0)
    pieces = len(skeleton) - 1
    assert 3 <= pieces <= 8
    # parameter and radius both go by cubics
    s = np.linspace(0, 1, 1001)
    leaving, coming = (0.0, -0.8), (0.6 * np.cos(np.radians(40)), 0.6 * np.sin(np.radians(40)))
    t, radius = (
        (s**3 - 2 * s**2 + s) * leaving[k] + (s**3 - s**2) * coming[k] + (3 * s**2 - 2 * s**3) * (1 - k) for k in (0, 1)
    )
    height = ((t**3 - 2 * t**2 + t) + (t**3 - t**2)) * 4.8 + (3 * t**2 - 2 * t**3) * 4
    z = skeleton.tail()[:pieces, 2] / 0.01
    assert z[-1] == pytest.approx(4.0)
    expected = np.maximum(np.abs(np.interp(z, height, radius)), 0.01 * skeleton.length[:pieces] / 0.01)
    assert skeleton.radius_tip[:pieces] / 0.01 == pytest.approx(expected, abs=2e-3)


def test_contours_are_wide_along_the_upper_side():
    tall, broad = (
        drawn("#(0.1)@#(1)@Gs f(1)@Ge(1)", contours={1: contour}).frame[0] for contour in (WIDE, WIDE[:, ::-1][::-1])
    )
    faces = []
    for w, x, y, z in (tall, broad):
        faces.append([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    # z of the blade is its face: along cpfg's left (-x) where it is wide along U
    assert np.abs(faces[0]) == pytest.approx([1, 0, 0], abs=1e-6)
    assert np.abs(faces[1]) == pytest.approx([0, 1, 0], abs=1e-6)


def test_tubes_are_curves_between_control_points():
    """Hermite's cubic with the headings as tangents, 1.2 times as long as the way, or as @Gt says."""
    for said, factors in (("", (1.2, 1.2)), ("@Gt(0.5,2)", (0.5, 2.0))):
        skeleton = drawn(f"{said}@Gs f(3)+(90)f(3)@Ge(12)", width=0.1)
        assert len(skeleton) > 5
        end, way = np.array([-3.0, 3.0]), 3 * 2**0.5
        t = np.linspace(0, 1, 4001)[:, None]
        leaving, coming = np.array([0, 1.0]) * factors[1] * way, np.array([-1.0, 0]) * factors[0] * way
        curve = (t**3 - 2 * t**2 + t) * leaving + (t**3 - t**2) * coming + (3 * t**2 - 2 * t**3) * end
        off = np.linalg.norm(places(skeleton)[:, None, :2] - curve, axis=2).min(axis=1)
        assert off.max() < 2e-3
        assert places(skeleton)[-1] == pytest.approx([-3, 3, 0], abs=1e-9)
        assert (skeleton.parent[1:] == np.arange(len(skeleton) - 1)).all()


def test_b_splines_go_near_their_control_points():
    """Uniform cubic ones; weights of four control points after Foley et al. 1990, Computer Graphics, 11.2.4."""
    square = "f(2).+(90)f(2).+(90)f(2).+(90)f(2).+(90)"
    points = np.array([[0, 2], [-2, 2], [-2, 0], [0, 0.0]])
    t = np.linspace(0, 1, 501)[:, None]
    weights = (1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3
    for kind, spans in ((3, 1), (4, 4)):
        skeleton = drawn(f"{{({kind},12){square.replace('f', 'g')}}}({kind})F(1)", width=0.1)
        tube = places(skeleton)[:-1, :2]
        curve = np.concatenate([
            sum(weight / 6 * points[(first + k) % 4] for k, weight in enumerate(weights)) for first in range(spans)
        ])  # fmt: skip
        assert skeleton.head[0, [0, 2]] / 0.01 == pytest.approx(curve[0])
        assert tube[-1] == pytest.approx(curve[-1])
        off = np.linalg.norm(tube[:, None] - curve, axis=2).min(axis=1)
        assert off.max() < 2e-3
        assert len(tube) >= 5 * spans
        assert (np.diff(skeleton.axis[:-1]) == 0).all()
        assert skeleton.head[-1, [0, 2]] / 0.01 == pytest.approx([0, 0], abs=1e-9), "the turtle goes on where it is"
    assert not len(drawn("{(3)f(1)f(1)f(1)}(3)", width=0.1)), "which takes four points"


def test_closed_tubes_come_back_to_where_they_began():
    triangle = "f(2)-(120)f(2)-(120)f(2)-(120)"
    for string, pieces in ((f"{{(2,1){triangle}}}(2)", 3), (f"{{(1,1){triangle}}}(1)", 2)):
        skeleton = drawn(string, width=0.1)
        assert len(skeleton) == pieces
        ends = skeleton.head[0], skeleton.tail()[-1]
        assert (np.linalg.norm(ends[0] - ends[1]) < 1e-9) == (pieces == 3)
    curved = drawn("{(2,12)" + 8 * "f(2)-(45)" + "}(2)", width=0.1)
    turned = np.degrees(np.arccos((curved.direction()[1:] * curved.direction()[:-1]).sum(axis=1)))
    assert len(curved) > 15
    assert turned.max() < 40, "smoothly, also where it closes"
    assert np.degrees(np.arccos(curved.direction()[0] @ curved.direction()[-1])) < 40


def test_tubes_have_the_texture_of_where_they_begin():
    """Lines that of the turtle, those of pixels none; a number that the view does not have is none."""
    string = ";(3)@Tx(1)@Gs f(1)@Tx(2)@Gc(1)f(1)@Tx(3)@Gc(1)f(1)@Ge(1)F(1)@Tx(2)F(1)@Tx(0)F(1)"
    textures = (Texture("a.png"), Texture("b.png"))
    skeleton = drawn(string, textures=textures, width=0.1)
    assert skeleton.colour.tolist() == [3 + 256, 3 + 512, 3, 3, 3 + 512, 3]
    assert drawn("@Tx(1)F(1)", textures=textures, in_pixels=True).colour.tolist() == [View().colour]


def test_rods_have_their_contours_moments():
    """The text's Young's modulus times the section's moments is that of the contour's: EI about both axes, and mass."""
    half = np.array([[0.0, -1.0], [3.0, -1.0], [3.0, 1.0], [0.0, 1.0]])
    box = np.concatenate([half[k] + np.linspace(0, 1, 12, endpoint=False)[:, None] * (half[k - 3] - half[k])
                          for k in range(4)])  # fmt: skip
    text = "Lsystem: 1\naxiom: !(2)@#(1)@Gs f(10)@Ge(1)\nendlsystem\n==== plant ====\nunit: 1\n"
    grammar = parse(text + "material stem young=1e9 poisson=0.25\n")
    assert grammar.program is not None
    grammar = replace(grammar, program=replace(grammar.program, beside=Beside(view=View(contours={1: box}))))
    skeleton = interpret(derive(grammar), grammar)
    area, wide, thick = 6.0, 2.0 * 3.0**3 / 12, 3.0 * 2.0**3 / 12
    assert np.pi * skeleton.radius_tip[0] ** 2 == pytest.approx(area)
    round_one = 0.25 * np.pi * skeleton.radius_tip[0] ** 4
    # an ellipse of that area: I about its axes is that of the circle over and times the aspect
    for moment, factor in ((thick, 1 / skeleton.aspect[0]), (wide, skeleton.aspect[0])):
        assert skeleton.young[0] * round_one * factor == pytest.approx(1e9 * moment)
    assert skeleton.twist[0] == pytest.approx(2 * 1.25 * thick / moments_of(box).twist)
    # J of a rectangle 3 by 2: 0.196 of its length times the cube of its width (Roark, table 10.1)
    assert moments_of(box).twist == pytest.approx(0.196 * 3 * 2**3, rel=0.06)


def test_curves_of_no_kind_are_none():
    """cpfg warns of them; what is neither begun nor ended does no harm."""
    for string in ("{(5)f(1)f(1)}(5)F(1)", "{(2)}(2)F(1)", "}(2)F(1)", "{(0.5)F(1)}(0.5)F(1)", "{(3,-2)f(1)}(3)F(1)"):
        assert [ORGANS[organ] for organ in drawn(string, width=0.1).organ] in (["stem"], ["stem", "stem"]), string
