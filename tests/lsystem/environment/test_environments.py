# SPDX-License-Identifier: GPL-3.0-or-later
"""What environments say to modules that ask them."""

from collections import Counter

import numpy as np
import pytest

from lsystem import LSystemError, derive, open_object, parse
from lsystem.environment.light import Light
from lsystem.environment.soil import Soil
from lsystem.environment.space import Space


def test_the_stronger_of_two_that_are_near_may_grow():
    far = [5, 5, 5]
    places = np.array([[0, 0, 0], [0.05, 0, 0], [0, 0, 0.3], [0.1, 0, 0.3], far, far, [0, 0, 0]], dtype=np.float64)
    sent = [(2,), (1,), (1,), (1,), (1, 7), (1, 8), ()]
    # the second is weaker; the third and fourth are as strong, just as far away as may be; groups do not see each other
    assert Space(0.1).answers(places, sent) == [(1,), (0,), (0,), (0,), (1,), (1,), ()]


def test_room_agrees_with_all_pairs():
    rng = np.random.default_rng(3)
    places = rng.random((300, 3))
    sent = [(int(vigour),) for vigour in rng.integers(0, 4, 300)]
    told = Space(0.12).answers(places, sent)
    for index in range(300):
        distance = np.linalg.norm(places - places[index], axis=1)
        rivals = [other for other in range(300) if other != index and distance[other] <= 0.12]
        assert told[index] == (float(not any(sent[other] >= sent[index] for other in rivals)),)


def test_rounded_places_may_be_the_same():
    places = np.array([[0.00004, 0, 0], [0, 0, 0.4]])
    assert Space(0.01).answers(places, [(1,), (1,)]) == [(1,), (1,)]
    assert Space(0.01, (0, 2), (".3f", ".0f")).answers(places, [(1,), (1,)]) == [(0,), (0,)]


def test_shade_falls_down_and_fades():
    light = Light(1.0, shade=0.3, fade=2.0, layers=3)
    places = np.array([[0.5, 0.5, 5.5], [0.5, 0.5, 4.5], [1.5, 0.5, 4.5], [0.5, 0.5, 2.5], [0.5, 0.5, 1.5], [9, 9, 9]])
    told = [answer[0] for answer in light.answers(places, [(1,)] + [(0,)] * 5)]
    assert told == pytest.approx([1.0, 1 - 0.15, 1 - 0.15, 1 - 0.0375, 1.0, 1.0])


def test_it_grows_lighter_away_from_a_shade():
    light = Light(1.0, shade=0.3, fade=2.0, layers=3)
    (_, *direction), (_, *open_sky) = light.answers(np.array([[2.5, 0.5, 3.5], [90, 0, 0]]), [(0,), (0,)])
    assert open_sky == [0, 0, 1]
    assert direction == [0, 0, 1]
    shaded = light.answers(np.array([[0.5, 0.5, 5.5], [1.5, 0.5, 4.5]]), [(1,), (0,)])[1]
    assert shaded[1] > 0.5
    assert shaded[2] == 0.0
    assert np.linalg.norm(shaded[1:]) == pytest.approx(1.0)


def test_roots_share_the_water_of_a_cell():
    soil = Soil(0.1, surface=0.2, rise=0.5)
    places = np.array([[0, 0, 0.05], [0, 0, -0.05], [0.01, 0, -0.05], [0, 0, -0.55], [0, 0, -9.0]])
    told = [answer[0] for answer in soil.answers(places, [()] * 5)]
    assert told == pytest.approx([0.0, 0.1125, 0.1125, 0.475, 1.0])


def test_water_flows_to_roots_as_the_equations_have_it():
    """Against the whole system of one equation a cell, solved at once."""
    rng = np.random.default_rng(1)
    places = np.floor(rng.uniform((-3, -3, -4), (3, 3, 0), (12, 3))) + 0.5
    soil = Soil(1.0, surface=0.4, rise=0.02, uptake=3.0)
    told = np.array(soil.answers(places, [()] * 12))
    roots = Counter(map(tuple, np.floor(places).astype(int).tolist()))
    span = range(-3, 4)
    cells = {(x + i, y + j, z + k) for x, y, z in roots for i in span for j in span for k in span if z + k < 0}
    number = {cell: index for index, cell in enumerate(sorted(cells))}
    matrix, right = np.zeros((len(number), len(number))), np.zeros(len(number))
    for (x, y, z), index in number.items():
        matrix[index, index] += 6.0 + 3.0 * roots.get((x, y, z), 0)
        for beside in ((x - 1, y, z), (x + 1, y, z), (x, y - 1, z), (x, y + 1, z), (x, y, z - 1), (x, y, z + 1)):
            if beside[2] >= 0:
                matrix[index, index] -= 1.0
            elif beside in number:
                matrix[index, number[beside]] -= 1.0
            else:
                right[index] += 0.4 - 0.02 * (beside[2] + 0.5)
    water = np.linalg.solve(matrix, right)
    cell = [tuple(one) for one in np.floor(places).astype(int).tolist()]
    assert told[:, 0] == pytest.approx([water[number[one]] / roots[one] for one in cell], rel=1e-4)
    assert np.linalg.norm(told[:, 1:], axis=1) == pytest.approx(np.ones(12))


def test_roots_draw_the_soil_dry_and_turn_to_where_it_is_wetter():
    alone, = Soil(0.1, surface=0.5, uptake=2.0).answers(np.array([[0.05, 0.05, -1.05]]), [()])
    assert 0.1 < alone[0] < 0.5
    assert alone[1:] == (0.0, 0.0, -1.0)  # it is as wet on all sides
    row = np.array([[0.1 * x + 0.05, 0.05, -1.05] for x in range(6)])
    told = np.array(Soil(0.1, surface=0.5, uptake=2.0).answers(row, [()] * 6))
    assert told[2, 0] < told[0, 0] < alone[0]
    assert told[0, 1] == pytest.approx(-1.0, abs=1e-3)
    assert told[5, 1] == pytest.approx(1.0, abs=1e-3)
    assert told[:, 0] == pytest.approx(told[::-1, 0])


def test_a_tree_grows_out_of_the_shade():
    text = """
environment: light cell=0.1 shade=0.6
steps: 8
axiom: [ A(1) ?E(0, 0, 0, 0) ] [ f(1) ?E(9) ]
A(n) > ?E(l, x, y, z) : n < 9 -> F(0.1) A(n+1)
?E(l, x, y, z) -> ?E(0, 0, 0, 0)
"""
    told = [module.params for module in derive(parse(text)) if module.symbol == "?E"]
    assert len(told) == 2
    assert told[1] == (1.0,)


def test_a_step_reads_what_it_was_told():
    text = "steps: 2\nunit: 0.01\nenvironment: soil cell=1 surface=0.5 rise=0.1\naxiom: |F(2) R ?E(0)\n" \
        "R > ?E(w) -> F(w) R\n"  # fmt: skip
    string = [(module.symbol, module.params) for module in derive(parse(text))]
    assert string[2:4] == [("F", (pytest.approx(0.7),)), ("F", (pytest.approx(0.77),))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("environment: water", "unknown environment 'water'"),
        ("environment: light shade=1", "'light' needs its cell, as in cell=0.1"),
        ("environment: light cell=0", "'cell' must be above 0"),
        ("environment: light cell=1 cell=2", "'cell' is given twice"),
        ("environment: space cell=1", "expected one of radius"),
        ("environment: light cell=1 layers=2.5", "'layers' must be a whole number from 0 to 32"),
        ("", r"\?E asks an environment; choose one"),
    ],
)
def test_what_cannot_be_asked_is_named(line, message):
    with pytest.raises(LSystemError, match=message):
        parse(f"{line}\naxiom: A ?E(1)\n")


def test_programs_outside_are_answered_by_ours(tmp_path):
    (tmp_path / "plant.l").write_text(
        "Lsystem: 1\nderivation length: 2\nAxiom: A\nA --> [f(2)?E(1)B][f(2)?E(2)B][f(2.004)?E(3)B]\n"
        "?E(x) : x == 0 --> *\nB --> ;@L(\"a\")C\nendlsystem\n"
    )
    program = "executable: honda81 -e plant.e density.spec\nturtle position: P: %.2f %.2f %.2f\n"
    (tmp_path / "plant.e").write_text(program)
    (tmp_path / "density.spec").write_text("radius: 0.001\n3d case: on\n")
    grammar = parse(open_object(tmp_path).text)
    assert grammar.notes == (
        "Left out: labels (@L)",
        "'honda81' is not started; our environment 'space' answers as it does",
    )
    # places are sent with two digits
    assert [module.params for module in derive(grammar) if module.symbol == "E"] == [(1,)]
    (tmp_path / "plant.e").write_text("executable: /bin/rm -rf plant.l\n")
    grammar = parse(open_object(tmp_path).text)
    assert "'rm' is not started" in grammar.notes[1]
    assert [module.params for module in derive(grammar) if module.symbol == "E"] == [(1,), (2,), (3,)]


@pytest.mark.parametrize("leaf", ["~Leaf(0.5, 0.5)", "?E(1) ~Leaf(0.5, 0.5)"])
def test_what_is_drawn_only_shades_by_a_question_of_its_own(leaf: str):
    """Three layers below a part of size 1 each layer halves what its own cell loses."""
    text = f"steps: 2\nenvironment: light cell=1\naxiom: ?E(0) f(3) L\nL -> L\ninterpretation:\nL -> {leaf}\n"
    (told,) = derive(parse(text))[0].params
    assert told == pytest.approx(1.0 - 0.2 / 2**3 * ("?E" in leaf))
