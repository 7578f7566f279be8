# SPDX-License-Identifier: GPL-3.0-or-later
"""Where solids are: distances, nearest places, what is within, what hides the sky; and texts that ask for it."""

import time
from pathlib import Path

import numpy as np
import pytest

from lsystem import ORGANS, LSystemError, Solid, Solids, derive, grow, open_object, parse
from lsystem.environment.light import Light
from lsystem.environment.sky import Sky
from lsystem.environment.solids.forms import FORMS
from lsystem.environment.solids.triangles import are_hit, nearest_points, solid_angles
from tests.forms import IS_FULL


def made(form, **values):
    return FORMS[form].solid(form, values)


def lump(seed, triangles=300):
    """A closed bumpy surface of many triangles, with its radius along a direction."""
    rng = np.random.default_rng(seed)
    ball = made("ball", radius=1.0)
    directions = ball.vertices / np.linalg.norm(ball.vertices, axis=1)[:, None]
    waves = rng.normal(size=(5, 3)) * 3.0
    radii = 1.0 + 0.06 * np.sin(directions @ waves.T).sum(axis=1)
    return Solid("lump", directions * radii[:, None], ball.triangles)


def in_box(places, low, high):
    """Distance to a box, below 0 within, and whether places are within."""
    inside = ((places > low) & (places < high)).all(axis=1)
    outer = np.linalg.norm(np.maximum(np.maximum(low - places, places - high), 0.0), axis=1)
    inner = np.minimum(places - low, high - places).min(axis=1)
    return np.where(inside, -inner, outer), inside


def test_a_box_is_as_far_as_its_faces_are():
    places = np.random.default_rng(0).uniform(-3, 3, (4000, 3))
    box = made("box", width=2.0, depth=1.0, height=3.0, x=0.4, y=-0.2, z=-1.0)
    answer = Solids([box]).answer(places)
    expected, inside = in_box(places, np.array([-0.6, -0.7, -1.0]), np.array([1.4, 0.3, 2.0]))
    assert answer.distance == pytest.approx(expected, abs=1e-12)
    assert inside.sum() > 100
    assert np.linalg.norm(places - answer.nearest, axis=1) == pytest.approx(np.abs(expected), abs=1e-12)
    assert np.linalg.norm(answer.away, axis=1) == pytest.approx(1.0)
    # a short way along it leads farther out, from either side
    further, _ = in_box(places + 1e-6 * answer.away, np.array([-0.6, -0.7, -1.0]), np.array([1.4, 0.3, 2.0]))
    assert ((further - expected) / 1e-6)[np.abs(expected) > 1e-4] == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("seed", range(4))
def test_boxes_within_boxes_miss_nothing(seed):
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(137, 1, 3)) * 2.0 + rng.normal(size=(137, 3, 3)) * rng.random((137, 1, 1))
    soup = Solids([Solid("soup", corners.reshape(-1, 3), np.arange(137 * 3).reshape(-1, 3))])
    places, rays = rng.normal(size=(2, 500, 3)) * 2.5
    nearest, triangles = soup.tree.nearest(places)
    squares = ((nearest_points(places[:, None], corners[None]) - places[:, None]) ** 2).sum(axis=2)
    assert ((nearest - places) ** 2).sum(axis=1) == pytest.approx(squares.min(axis=1), abs=1e-13)
    assert squares[np.arange(500), triangles] == pytest.approx(squares.min(axis=1), abs=1e-13)
    assert soup.blocks(places, rays).tolist() == are_hit(places[:, None], rays[:, None], corners).any(axis=1).tolist()
    exact = solid_angles(places[:, None], corners[None]).sum(axis=1) / (4 * np.pi)
    assert soup.tree.winding(places) == pytest.approx(exact, abs=0.05)


def test_nearest_places_of_a_triangle_agree_with_a_search():
    rng = np.random.default_rng(8)
    corners, places = rng.normal(size=(60, 3, 3)), rng.normal(size=(60, 3)) * 2
    share = rng.random((4000, 2))
    over = share.sum(axis=1) > 1
    share[over] = 1 - share[over]
    weights = np.column_stack([1 - share.sum(axis=1), share])
    searched = np.linalg.norm(weights @ corners - places[:, None], axis=2).min(axis=1)
    found = np.linalg.norm(nearest_points(places, corners) - places, axis=1)
    assert (found <= searched + 1e-12).all()
    assert found == pytest.approx(searched, abs=0.08)


@pytest.mark.parametrize("inside_out", [False, True])
def test_what_is_within_a_lump_is_told_also_where_triangles_look_in(inside_out):
    shape = lump(1)
    turned = Solid("lump", shape.vertices, shape.triangles[:, ::-1] if inside_out else shape.triangles)
    solids = Solids([turned, made("ball", radius=0.3, x=4.0)])
    rng = np.random.default_rng(2)
    count = 3000 if IS_FULL else 1000
    directions = rng.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    places = directions * rng.uniform(0.4, 1.6, count)[:, None]
    angles = solid_angles(places[:, None], shape.vertices[shape.triangles][None]).sum(axis=1)
    expected = np.abs(angles) > 2 * np.pi
    assert solids.is_inside(places).tolist() == expected.tolist()
    assert count < 3 * expected.sum() < 2.5 * count
    assert solids.is_inside(np.array([[4.1, 0.1, 0.1], [4.0, 0.0, 0.5]])).tolist() == [True, False]


def test_solids_that_overlap_are_one():
    solids = Solids([made("box", width=1, depth=1, height=1), made("box", width=1, depth=1, height=1, z=0.5)])
    places = np.array([[0, 0, 0.25], [0, 0, 0.75], [0, 0, 1.25], [0, 0, 1.75]])
    assert solids.is_inside(places).tolist() == [True, True, True, False]


def test_what_is_open_or_twisted_has_a_flaw():
    box = made("box", width=1, depth=1, height=1)
    corners = box.vertices[box.triangles]
    cut = Solid("cut", corners.reshape(-1, 3), np.arange(len(corners) * 3).reshape(-1, 3))
    assert Solids([box, cut]).flaw == ("", ""), "vertices at one place are one"
    assert Solids([box, Solid("lid", box.vertices, box.triangles[1:])]).flaw == ("lid", "open")
    turned = box.triangles.copy()
    turned[[0, 6]] = turned[[0, 6], ::-1]
    assert Solids([Solid("mixed", box.vertices, turned)]).flaw == ("mixed", "twisted")
    assert Solids([Solid("nothing", np.zeros((0, 3)), np.zeros((0, 3), dtype=int))]).flaw == ("nothing", "empty")


def test_round_forms_have_the_area_across_of_what_they_stand_for():
    ball, post = made("ball", radius=0.5), made("post", radius=0.1, height=2.0)
    assert Solids([ball, post]).flaw == ("", "")
    for solid, volume in ((ball, np.pi / 6), (post, 0.02 * np.pi)):
        a, b, c = solid.corners().transpose(1, 0, 2)
        assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(volume, rel=0.005)


def finer(vertices, triangles):
    """The same surface, each triangle as four."""
    middles = 0.5 * (vertices[triangles] + vertices[np.roll(triangles, -1, axis=1)])
    a, b, c = triangles.T
    ab, bc, ca = len(vertices) + np.arange(3 * len(triangles)).reshape(-1, 3).T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([vertices, middles.reshape(-1, 3)]), np.concatenate([np.stack(p, axis=1) for p in parts])


def time_of_answers(surface):
    """Seconds that it takes to take a surface in and to answer where 2000 places are to it."""
    begun = time.process_time()
    solids = Solids([Solid("lump", *surface)])
    solids.answer(np.random.default_rng(4).uniform(-1.5, 1.5, (2000, 3)))
    assert solids.flaw == ("", "")
    return time.process_time() - begun


def test_time_grows_with_triangles_no_faster_than_they():
    shape = lump(3)
    surfaces = [(shape.vertices, shape.triangles)]
    for _ in range(3):
        surfaces.append(finer(*surfaces[-1]))
    assert len(surfaces[3][1]) > 140_000
    coarse = min(time_of_answers(surfaces[1]) for _ in range(3))
    assert time_of_answers(surfaces[3]) < 3.0 * 16.0 * coarse


TEXT = """
steps: 3
solid post radius=0.2 height=1
axiom: A(0) ?P(0, 0, 0)
A(d) > ?P(x, y, z) -> F(0.1) A(distance(x + 1, y, z))
"""


def test_a_text_asks_for_its_own_solids_or_for_others():
    assert derive(parse(TEXT))[-2].params[0] == pytest.approx(0.8, abs=0.002)
    box = Solids([made("box", width=1, depth=9, height=9, x=3.0)])
    assert derive(parse(TEXT), solids=box)[-2].params == pytest.approx((1.5,))
    assert len(grow(TEXT, solids=box)) == 3
    assert len(grow(TEXT, 2.5, solids=box)) == 3


def test_distances_are_in_units_of_the_text():
    # of its own solids too
    text = TEXT.replace("steps", "unit: 0.1\nsteps")
    assert derive(parse(text))[-2].params[0] == pytest.approx(0.8, abs=0.002)
    box = Solids([made("box", width=0.1, depth=0.9, height=0.9, x=0.3)])
    assert derive(parse(text), solids=box)[-2].params == pytest.approx((1.5,))


def test_all_functions_answer_in_conditions_and_successors():
    text = """
solid box width=2 depth=2 height=2
steps: 1
axiom: A(0.9, 0, 1) A(2, 0, 1) A(5, 0, 1)
A(x, y, z) : inside(x, y, z) -> B(distance(x, y, z), nearest_x(x, y, z), nearest_y(x, y, z), nearest_z(x, y, z))
A(x, y, z) : x > 1 && distance(x, y, z) < 2 -> C(away_x(x, y, z), away_y(x, y, z), away_z(x, y, z), own_solids())
"""
    found = [(module.symbol, module.params) for module in derive(parse(text))]
    assert found == [
        ("B", pytest.approx((-0.1, 1, 0, 1))), ("C", pytest.approx((1, 0, 0, 1))), ("A", (5, 0, 1)),
    ]  # fmt: skip
    given = Solids([made("box", width=2, depth=2, height=2)])
    assert derive(parse(text), solids=given)[1].params[3] == 0.0


def test_names_of_the_functions_are_still_names():
    text = "let distance = 2\naxiom: A(distance)\nA(inside) : inside > 1 -> F(inside)\nsteps: 1\n"
    assert [module.params for module in derive(parse(text))] == [(2.0,)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solid cone radius=1", "expected the form of a solid: ball, box, post"),
        ("solid post radius=1", "a post needs its height, as in height=0.1"),
        ("solid ball radius=0", "'radius' must be above 0"),
        ("let a = inside(0, 0, 0)", "inside is only known in productions and in the axiom"),
        ("A -> B(distance(1, 2))", "distance takes 3 arguments, not 2"),
    ],
)
def test_what_is_wrong_is_named(line, message):
    with pytest.raises(LSystemError, match=message):
        parse(f"{line}\naxiom: A\n")


def test_without_solids_or_among_open_ones_there_is_no_answer():
    text = TEXT.replace("solid post radius=0.2 height=1\n", "")
    with pytest.raises(LSystemError, match="asks where solids are, and there are none: choose what the plant grows"):
        derive(parse(text))
    box = made("box", width=1, depth=1, height=1)
    with pytest.raises(LSystemError, match="the solid 'Wall' is open: some edges belong to one face only"):
        derive(parse(text), solids=Solids([Solid("Wall", box.vertices, box.triangles[1:])]))


def test_files_of_cpfg_ask_by_their_environment(tmp_path):
    (tmp_path / "plant.l").write_text(
        "Lsystem: 1\nderivation length: 2\nAxiom: A(0)?E(0,0,0,0)\n"
        "A(n) > ?E(d,x,y,z) --> F(1)A(d)\nendlsystem\n"
        "==== plant ====\nunit: 0.1\nenvironment: solids\nsolid box width=2 depth=2 height=1 z=4\n"
    )
    string = derive(parse((tmp_path / "plant.l").read_text()))
    assert [module.params for module in string if module.symbol == "A"] == [(3.0,)]
    assert open_object(tmp_path).text


def test_the_open_share_of_the_sky():
    wall = made("box", width=0.1, depth=1000, height=1000, x=1.05)
    roof = made("box", width=1000, depth=1000, height=1, x=0, z=5)
    places = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 7.0]])
    assert Sky(Solids([wall]), 1.0).open_at(places) == pytest.approx([0.5, 0.5], abs=0.02)
    assert Sky(Solids([roof]), 1.0).open_at(places).tolist() == [0.0, 1.0]


def test_light_comes_from_where_no_solid_stands():
    wall = Solids([made("box", width=0.2, depth=20, height=5, x=-0.6)])
    light = Light(0.5).among(wall)
    near, far, above = light.answers(np.array([[-0.3, 0, 1], [9, 0, 1], [-0.6, 0, 6]]), [(0,)] * 3)
    assert near[0] == pytest.approx(0.5, abs=0.1)
    assert far[0] > 0.9
    assert above[0] == 1.0
    assert near[1] > 0.5, "away from the wall"
    # parts shade each other too
    under = light.answers(np.array([[9, 0, 1], [9, 0, 1.6]]), [(0,), (1,)])[0]
    assert under[0] == pytest.approx(far[0] * (1 - 0.1), abs=0.02)


def test_a_tree_grows_from_a_wall_towards_the_light():
    text = """
environment: light cell=0.1
steps: 12
axiom: A ?E(0, 0, 0, 0)
A > ?E(l, x, y, z) -> @tropism(x, y, z, 0.2) F(0.1) A
"""
    wall = Solids([made("box", width=0.1, depth=9, height=6, x=-0.15)])
    leant, straight = grow(text, solids=wall), grow(text)
    assert leant.tail()[-1, 0] > 0.2
    assert straight.tail()[-1, :2] == pytest.approx([0, 0], abs=1e-9)


def test_places_that_are_asked_for_are_bounded(monkeypatch):
    monkeypatch.setattr("lsystem.expressions.asking.MOST_ASKED", 100)
    text = "solid ball radius=1\nsteps: 8\naxiom: A(1)\nA(n) -> A(distance(n, 0, 0)) A(n+1)\n"
    with pytest.raises(LSystemError, match=r"line 4, column 11: solids are asked for more than 100 places in all"):
        derive(parse(text))
    assert derive(parse(text), 6)


def test_places_in_the_middle_of_a_ball_are_bounded_sooner(monkeypatch):
    """Which are as far from all of its triangles. What has been looked at is counted after some thousand places."""
    monkeypatch.setattr("lsystem.environment.solids.solids.MOST_LEAVES", 100_000)
    text = "solid ball radius=1\nsteps: 16\naxiom: A(0)\nA(n) -> A(distance(1e-9*n, 0, 1)) A(n+1)\n"
    with pytest.raises(LSystemError, match=r"line 4, column 11: .* as far from many triangles: ask less often"):
        derive(parse(text))
    assert derive(parse(text.replace("1e-9*n, 0, 1", "n+3, 2, 5")), 12)


@pytest.mark.parametrize("form", ["box width=1 depth=0.6 height=1.5", "ball radius=0.5 z=0.48"])
def test_the_guides_hedge_fills_its_form_and_stays_within(form):
    guide = (Path(__file__).parents[3] / "docs" / "guide.md").read_text(encoding="utf-8")
    lines = guide[guide.index("    name: Hedge in a form") :].split("\n\n")[0].split("\n")
    text = "\n".join(line[4:] for line in lines) + f"\nsolid {form}\n"
    skeleton = grow(text)
    ends = skeleton.tail()[skeleton.organ == ORGANS.index("stem")]
    if form.startswith("box"):
        within, size = (np.abs(ends[:, :2]) <= [0.5, 0.3]).all() and ends[:, 2].max() <= 1.5, np.array([1.0, 0.6, 1.5])
    else:
        within, size = np.linalg.norm(ends - [0, 0, 0.48], axis=1).max() <= 0.5, np.array([1.0, 1.0, 1.0])
    assert within
    assert (np.ptp(np.vstack([ends, [[0, 0, 0]]]), axis=0) > 0.85 * size).all()
