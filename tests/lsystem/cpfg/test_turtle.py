# SPDX-License-Identifier: GPL-3.0-or-later
"""What cpfg's turtle does at the modules of its strings; lengths are centimetres, its y axis points upwards."""

from pathlib import Path

import numpy as np
import pytest

from lsystem import ORGANS, LSystemError, derive, grow, interpret, open_object, parse
from lsystem.base.sheets import Sheet
from lsystem.language.beside.kinds import Surface, Tropism
from tests.lsystem.cpfg.one_string import drawn, places

TROPISMS = Path(__file__).parent / "tropisms"


@pytest.mark.parametrize(
    ("string", "end"),
    [
        # worked out with cpfg's start, H = y, L = -x, U = -z, and H' = cos H + sin L (or U), L' = cos L + sin U
        ("+(90)F(2)", (-2, 0, 0)),
        ("-(90)F(2)", (2, 0, 0)),
        ("&(90)F(2)", (0, 0, -2)),
        ("^(90)F(2)", (0, 0, 2)),
        ("/(90)+(90)F(2)", (0, 0, -2)),
        ("\\(90)+(90)F(2)", (0, 0, 2)),
        ("|F(2)", (0, -2, 0)),
        ("f(1)g(2)G(3)", (0, 6, 0)),
        ("f(-1)F(3)", (0, 2, 0)),
        ("@M(1,2,3)F(1)", (1, 3, 3)),
        ("@M(1,2)F(1)", (1, 3, 0)),
        ("@R(0,0,2)F(1)", (0, 0, 1)),
        ("@R(1,1)F(1)", (0.5**0.5, 0.5**0.5, 0)),
        ("@D(2)F(1)@Di(3)F(1)@Dd(2)F(1)", (0, 11, 0)),
        ("&(60)/(20)@v+(90)F(2)", (-2, 0, 0)),
        ("[@D(5)]F", (0, 1.5, 0)),
    ],
)
def test_the_way_of_the_turtle(string: str, end: tuple[float, float, float]):
    assert places(drawn(string, step=1.5))[-1] == pytest.approx(end, abs=1e-9)


def test_colours_and_widths_count_up_and_down():
    skeleton = drawn("F;F;;F,F;(7)F[,(9)!(3)F]F#F#(2)F!F!!!!!!!!F", colour=254, colour_increment=1, width=1.0,
                     width_increment=0.25)  # fmt: skip
    assert skeleton.colour.tolist() == [254, 255, 1, 0, 7, 9, 7, 7, 7, 7, 7]
    wanted = [1, 1, 1, 1, 1, 3, 1, 1.25, 2, 1.75, 0.02]
    assert (2.0 * skeleton.radius_tip / 0.01).tolist() == pytest.approx(wanted)


def test_pixels_are_a_small_part_of_a_segment():
    skeleton = drawn("F(5)F(5)F(20)", width=3.0, in_pixels=True)
    assert skeleton.radius_tip[0] == pytest.approx(0.5 * 3 * 0.1 * 0.05)


def test_balls_and_discs_are_around_the_turtle():
    skeleton = drawn("F(3)@O(2)F(1)@c(4)", width=1.0)
    names = [ORGANS[organ] for organ in skeleton.organ]
    assert names == ["stem", "fruit", "stem", "leaf"]
    assert (skeleton.head[1, 2], skeleton.tail()[1, 2]) == pytest.approx((0.02, 0.04))
    assert skeleton.head[2, 2] == pytest.approx(0.03)
    assert 0.7 * skeleton.length[3] * skeleton.width[3] == pytest.approx(np.pi * 0.02**2)


def test_polygons_have_the_vertices_of_cpfg():
    """F, f and . make vertices, G and g do not, nor does the place where it begins."""
    skeleton = drawn("F(1){.f(1)-(90)F(1)-(90)g(0.5)G(0.5)-(90).}")
    assert len(skeleton.polygons) == 1
    vertices = skeleton.polygons[0].vertices / 0.01
    assert vertices[:, [0, 2]].tolist() == pytest.approx(np.array([[0, 1], [0, 2], [1, 2], [1, 1]]))


def test_balls_discs_and_patches_are_drawn_within_polygons_too():
    """And are no vertices of it."""
    rows = "".join(f"@M({row},{column},0)@PC(7,{row},{column})" for row in range(4) for column in range(4))
    skeleton = drawn(f"F(1)[@PS(7){rows}@M(0,1,0){{.f(1)@O(2)-(90)f(1)@c(3)@PD(7)-(90)f(1).}}]F(1)", width=0.1)
    *others, whole = skeleton.polygons
    assert sorted(len(one.patches) for one in others) == [0, 1]
    assert len(whole.vertices) == 4
    assert [ORGANS[organ] for organ in skeleton.organ] == ["stem", "fruit", "leaf", "leaf", "leaf", "stem"]
    ball = 0.5 * (skeleton.head[1] + skeleton.tail()[1]) / 0.01
    assert ball == pytest.approx([0, 0, 2], abs=1e-9)
    assert skeleton.length[1] == pytest.approx(0.02)


def test_tropisms_add_up():
    sideways = Tropism((1.0, 0.0, 0.0), elasticity=0.2, increment=0.1)
    one = drawn("F(1)F(1)F(1)", tropisms=(sideways,))
    assert places(one)[-1][0] > 0.1
    assert places(drawn("@Ti(1)F(1)F(1)F(1)", tropisms=(sideways,)))[-1][0] > places(one)[-1][0]
    assert places(drawn("@Ts(1,0)F(1)F(1)F(1)", tropisms=(sideways,)))[-1][0] == pytest.approx(0.0)
    # those with numbers turn it before a segment, the old one by as much back behind
    balanced = drawn("_(-0.2)F(1)F(1)F(1)", tropisms=(sideways,), tropism=(1.0, 0.0, 0.0))
    assert places(balanced)[:, 0] == pytest.approx(np.arange(1, 4) * np.sin(0.2), abs=0.01)
    assert places(drawn("[_(0.3)F(1)]F(1)F(1)", tropism=(1.0, 0.0, 0.0)))[-1][0] == pytest.approx(0.0)


def test_tropisms_are_cpfgs():
    """With and without an angle, twisting ones, the old one, and what they do to twist: the file's modules ask where
    they are, and `.raw` holds what cpfg has told them, in single precision."""
    grammar = parse(open_object(TROPISMS / "tropisms.l").text)
    string = derive(grammar, interpreted=False)
    lines = (TROPISMS / "tropisms.raw").read_text(encoding="latin-1").splitlines()
    theirs = [[float(value) for value in line[2:-1].split(",")] if len(line) > 1 else [] for line in lines]
    ours = [list(module.params) for module in string]
    assert [module.symbol for module in string] == [line[0] for line in lines]
    assert np.concatenate(ours) == pytest.approx(np.concatenate(theirs), abs=2e-7)
    asked = np.array([module.params for module in string if module.symbol == "P"])
    away = np.linalg.norm(places(interpret(string, grammar))[:, None] - asked, axis=2).min(axis=1)
    assert len(away) > 15
    assert away.max() < 1e-6


def test_what_is_without_twist_counts_from_the_last_segment_also_without_tropisms(tmp_path):
    """The left side as cpfg itself tells it."""
    production = "A --> @Tp/(30)F(1)?L(0,0,0)+(20)F(1)?L(0,0,0)A"
    text = f"Lsystem: 1\nderivation length: 3\naxiom: F(2)A\n{production}\nendlsystem\n"
    (tmp_path / "plant.l").write_text(text)
    string = derive(parse(open_object(tmp_path / "plant.l").text), interpreted=False)
    told = [module.params for module in string if module.symbol == "L"]
    assert told[0] == pytest.approx((-0.866025388, 0.0, -0.5), abs=1e-7)
    assert told[2] == pytest.approx((-0.454769, -0.296198, -0.839912), abs=1e-6)


def test_parts_that_are_cut_stay_where_they_were():
    text = "Lsystem: 1\nderivation length: {}\naxiom: F(1)[+(90)!(0.5);F(1)A(0)]F(1)\n"
    text += "A(n) --> %(7)&(30)F(2)[-(90)F(1)]\n"
    before, after = (grow(text.format(steps)) for steps in (1, 3))
    order = np.lexsort(places(before).T.round(6)), np.lexsort(places(after).T.round(6))
    for name in ("head", "length", "radius_tip", "colour"):
        assert getattr(after, name)[order[1]] == pytest.approx(getattr(before, name)[order[0]], abs=1e-9), name
    assert places(after)[order[1]] == pytest.approx(places(before)[order[0]], abs=1e-9)
    assert np.count_nonzero(before.parent < 0) == 1
    assert np.count_nonzero(after.parent < 0) == 2, "it hangs on nothing"
    assert len(grow(text.format(3), 1.5)) == len(before), "by whole steps"


def test_brackets_and_polygons_without_a_partner_do_no_harm():
    skeleton = drawn("F(1)]}F(1)[F(1){f(1)")
    assert skeleton.length.tolist() == pytest.approx([0.01, 0.01, 0.01])


def test_what_only_shows_or_is_no_command_is_passed_over():
    assert len(drawn('F(1)@L("text",1)@S("rm")@I("x")@Tx(1)@Tf@!(4)@PS(1)?P?E(1)$(2)"s(1)=F(1)')) == 2


def test_a_plant_grows_between_steps():
    text = "Lsystem: 1\nderivation length: 3\naxiom: A\nA --> F(2)[+(30)F(1)]A\nhomomorphism\nF(x) --> F(x/2);F(x/2)\n"
    lengths = [grow(text, steps).length.sum() for steps in (2, 2.25, 2.5, 3)]
    assert lengths == pytest.approx([0.06, 0.0675, 0.075, 0.09])


def test_surfaces_and_their_size_come_from_files(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: F(3)~l(2)F(1)\nendlsystem\n")
    (tmp_path / "plant.v").write_text("initial line width: 0.5\nsurface: l leaf.s 1.5\n")
    (tmp_path / "leaf.s").write_text(
        "0 1 0 2 0 0\nCONTACT POINT  X: 0.00 Y: 0.00 Z: 0.00\nEND POINT  X: 0.00 Y: 1.00 Z: 0.00\n"
        "HEADING  X: 0.00 Y: 1.00 Z: 0.00\nUP  X: 0.00 Y: 0.00 Z: -1.00\nSIZE: 3.00\npatch\n"
        "TOP COLOR: 0 DIFFUSE: 0.00 BOTTOM COLOR: 0 DIFFUSE: 0.00\nAL: ~ A: ~ AR: ~\n"
        + "".join(f"0 {y} 0  1 {y} 0  2 {y} 0  3 {y} 0\n" for y in (3, 2, 1, 0))
    )
    grammar = parse(open_object(tmp_path).text)
    skeleton = interpret(derive(grammar), grammar)
    assert len(skeleton.polygons) == 1
    x, _, z = (skeleton.polygons[0].patches.reshape(-1, 3) / 0.01).T
    # three by three, of which 3 are 1.5 times 2 long
    assert (x.min(), x.max(), z.min(), z.max()) == pytest.approx((0, 3, 3, 6))
    assert skeleton.tail()[-1, 2] / 0.01 == pytest.approx(3 + 1 + 1)


def test_discs_are_round():
    skeleton = drawn("F(2)+(90)@c(3)F(1)")
    assert len(skeleton.polygons) == 1
    vertices = skeleton.polygons[0].vertices / 0.01
    assert vertices.mean(axis=0) == pytest.approx([0, 0, 2], abs=1e-9)
    reach = vertices - vertices.mean(axis=0)
    area = 0.5 * np.linalg.norm(np.cross(reach, np.roll(reach, -1, axis=0)).sum(axis=0))
    assert area == pytest.approx(np.pi * 1.5**2, rel=1e-6)
    assert np.ptp(vertices[:, 1]) == pytest.approx(0, abs=1e-9), "in the plane of H and L"
    assert places(skeleton)[-1] == pytest.approx([-1, 2, 0], abs=1e-9)


def test_discs_may_face_who_looks_and_be_a_line():
    skeleton = drawn("F(2)+(40)&(70)@o(3)@bc(2)@bo(2)", width=0.5)
    facing, ring, both = skeleton.polygons
    vertices = facing.vertices / 0.01
    assert np.ptp(vertices[:, 1]) == pytest.approx(0, abs=1e-9), "cpfg's z looks out of the picture"
    assert vertices.mean(axis=0) == pytest.approx([0, 0, 2], abs=1e-9)
    for one in (ring, both):
        away = np.linalg.norm(one.vertices / 0.01 - [0, 0, 2], axis=1)
        assert (away.min(), away.max()) == pytest.approx((0.75, 1.25), rel=0.01)
        a, b, c = (one.vertices / 0.01)[one.triangles].transpose(1, 0, 2)
        area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
        assert area == pytest.approx(np.pi * (1.25**2 - 0.75**2), rel=1e-3)
    assert np.ptp(both.vertices[:, 1]) == pytest.approx(0, abs=1e-9)
    assert np.ptp(ring.vertices[:, 1]) > 0.01


def test_surfaces_of_triangles_are_their_parts(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\naxiom: F(2)~t(0.5)\nendlsystem\n")
    (tmp_path / "plant.v").write_text("initial line width: 0.5\ntsurface: t two.tri 3\n")
    square, alone = (
        "triangle\n0, 0, 0, 0 0 1\n1 0 0\n1 1 0\ntriangle 0 0 0\n1: 1: 0\n0 1 0 0 0 1\n",
        "triangle\n2 0 0\n3 0 0\n3 0 1\n",
    )
    (tmp_path / "two.tri").write_text(square + alone)
    skeleton = grow(open_object(tmp_path).text)
    outlines = [polygon.vertices / 0.01 for polygon in skeleton.polygons]
    assert [len(outline) for outline in outlines] == [4, 3]
    assert [len(polygon.triangles) for polygon in skeleton.polygons] == [2, 1]
    # 1.5 times as large, L of cpfg to -x, H upwards, U to -z, which is our y
    corners = {(0, 0, 2), (-1.5, 0, 2), (-1.5, 0, 3.5), (0, 0, 3.5)}
    assert {tuple(place) for place in outlines[0].round(9).tolist()} == corners
    assert outlines[1].min(axis=0) == pytest.approx([-4.5, 0, 2])
    (tmp_path / "two.tri").write_text(square + "triangle\n0 0 0\n1 1\n")
    with pytest.raises(LSystemError, match="a vertex of a triangle has three numbers") as caught:
        grow(open_object(tmp_path).text)
    assert (caught.value.source, caught.value.line) == ("two.tri", 10)


def test_surfaces_have_the_colours_of_lit_ramps():
    leaf = Surface((Sheet(np.array([[0.0, 0, 0], [1, 1, 0], [-1, 1, 0]])),), (0, 0, 0))
    skeleton = drawn(",(255)F~l(3),(130)F~l(3)", surfaces={"l": leaf}, lit=0.5)
    assert skeleton.colour.tolist() == [255, 192 + 31, 130, 128 + 1]


def test_called_systems_have_a_scale():
    others = "endlsystem\nLsystem: 2\naxiom: F\nderivation length: 0\nendlsystem\nLsystem: 3\naxiom: F\nendlsystem\n"
    text = f"Lsystem: 1\naxiom: !(1)F(1)?(2,0.5)F(2)?(3,3)F(1)$!(2)F(1)$F(1)\n{others}"
    skeleton = grow(text)
    assert skeleton.length / 0.01 == pytest.approx([1, 1, 1.5, 0.5, 1])
    assert 2 * skeleton.radius_tip / 0.01 == pytest.approx([1, 0.5, 1.5, 1.0, 2.0])


def test_patches_of_the_texts_own_are_surfaces():
    rows = "".join(f"@M({row},{column},0)@PC(7,{row},{column})" for row in range(4) for column in range(4))
    skeleton = drawn(f"F(1)@PS(7){rows};(5)@PD(7)")
    assert len(skeleton.polygons) == 1
    vertices = skeleton.polygons[0].patches.reshape(-1, 3) / 0.01
    assert vertices.min(axis=0) == pytest.approx([0, 0, 0], abs=1e-9)
    assert vertices.max(axis=0) == pytest.approx([3, 0, 3], abs=1e-9)
    assert skeleton.colour.tolist() == [0, 5]
    assert 0.7 * skeleton.length[1] * skeleton.width[1] == pytest.approx(9e-4)
    # without all of its control points, or begun anew, it is nothing
    assert not drawn(f"F(1){rows.replace('@PC(7,2,3)', '')}@PD(7)").polygons
    assert not drawn(f"F(1){rows}@PS(7)@PD(7)@PD(3)").polygons


def test_leaves_lie_along_the_middle_of_their_surfaces():
    """Not towards one of the two corners that are farthest from where it hangs."""
    x, y = np.meshgrid(np.linspace(-1, 1, 4), np.linspace(0, 1, 4))
    patch = np.stack([x, 2 * y, np.zeros((4, 4))], axis=2)
    skeleton = drawn("F(1)~l(3)", surfaces={"l": Surface((Sheet(patches=patch[None] * [1, 1, 1]),), (0, 0, 0))})
    heading = skeleton.direction()[1]
    assert skeleton.head[1, 2] == pytest.approx(0.01)
    assert abs(heading[0]) < 1e-9
    assert skeleton.length[1] == pytest.approx(0.06)
    assert 0.7 * skeleton.length[1] * skeleton.width[1] == pytest.approx(36e-4)


def test_surfaces_and_tubes_stay_while_others_grow():
    """What a step makes before them in the string does not have them begin anew."""
    text = "Lsystem: 1\nderivation length: 1\naxiom: A[F(1)@c(2)][+(60)@Gs f(2)@Ge(1)]\n"
    text += "A --> [@bc(1)][-(60)@Gt(2)@Gs f(1)@Gc(1)f(1)@Ge(1)]\nendlsystem\n"
    whole, half = grow(text), grow(text, 0.5)
    discs = [max(np.ptp(one.vertices, axis=0).max() for one in skeleton.polygons) for skeleton in (whole, half)]
    assert discs == pytest.approx([0.02, 0.02], rel=0.01)
    assert max(half.length[half.organ == 0]) == pytest.approx(0.02)
    assert sum(half.length[half.organ == 0]) == pytest.approx(0.01 + 0.02 + 0.5 * 0.02)
