# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants at ages between whole derivation steps: no jumps, neither at a step nor on the way."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from lsystem import Skeleton, derive, draw, grow, modules_text, parse, presets
from tests.forms import IS_FULL

TEXTS = {
    "apex": "axiom: A\nA -> F(0.1, 0.01) [ +(40) B ] /(137.5) A\nB -> F(0.05, 0.004) ~Leaf(0.04, 0.02)",
    "longer": "axiom: F(0.1, 0.002)\nF(l, r) -> F(1.2*l, 1.3*r)",
    "doubled": "axiom: X\nX -> F[+X][-X]FX\nF -> FF",
    "Koch": "angle: 60\naxiom: F\nF -> F+F--F+F",
    "unfolding": "axiom: F ^(80) F F\n^(a) -> ^(0.5*a)",
    "width": "axiom: !(0.01) F A\nA -> !(0.004) F A\n!(w) -> !(1.5*w)",
    "leaf": "axiom: F ~Leaf(0.01, 0.005)\n~Leaf(l, w) -> ~Leaf(2*l, 2*w)",
    "interpreted": "axiom: A\nA -> I A\ninterpretation:\n"
    "I -> F(0.1) [ +(50) ~Leaf(0.05, 0.02) ]\nA -> ~Bud(0.01, 0.004)",
    "side": "axiom: A(0)\nA(n) -> I(n) A(n)\nI(n) -> I(n+1)\ninterpretation:\n"
    "I(n) -> F(0.1) [ +(50 + 5*n) ~Leaf(0.02 + 0.01*n, 0.02) ]",
    "bowed": "tropism: 1, 0, 0.3, 0.5\naxiom: A F(0.1)\nA -> F(0.1) [ +(40) F ] A\nF(l) -> F(0.5*l) F(0.5*l)",
    "bent blade": "axiom: A F(0.1)\nA -> ~Leaf(0.1, 0.05, 0.001, 3, 40) A",
    "random drawing": "axiom: F A\nA -> [I] F A\ninterpretation:\nI -> +(random(0, 100)) F(0.1)",
    "piped": "pipe: 2.2\naxiom: F A\nA -> F(0.05, 0.001) [+(40) F A] F(0.05) [-(40) F A] /(90) A",
    "ages": "axiom: F A\nA -> I A\ninterpretation:\nI -> F(0.1*min(age, 3)/3, 0.001*age)",
}


def at(text: str, age: float) -> Skeleton:
    return draw(parse(text), age, prune_below=0.0)


def points_of(plant: Skeleton) -> np.ndarray:
    """(5 n, 3) m: five on every segment, from its base to its tip."""
    along = np.linspace(0.0, 1.0, 5)[None, :, None]
    return (plant.head[:, None] + along * (plant.tail() - plant.head)[:, None]).reshape(-1, 3)


def apart(plant: Skeleton, other: Skeleton) -> float:
    """How far the farthest point of a plant is from another's segments; of these those on which the nearest of its
    points are, so that it may be nearer but no farther."""
    points, nearest = points_of(plant), min(8, 5 * len(other))
    _, found = cKDTree(points_of(other)).query(points, nearest)
    segments = found.reshape(len(points), nearest) // 5
    head, reach = other.head[segments], (other.tail() - other.head)[segments]
    from_head = points[:, None] - head
    place = np.clip((from_head * reach).sum(axis=2) / (reach**2).sum(axis=2), 0.0, 1.0)
    return float(np.linalg.norm(from_head - place[:, :, None] * reach, axis=2).min(axis=1).max())


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_jump_at_a_step(text: str):
    for step in (1, 2, 3):
        whole = at(text, step).prune(1e-5)
        size = np.ptp(whole.tail(), axis=0).max() + whole.length.max()
        for near in (step - 1e-6, step + 1e-6):
            # what has only just begun to grow is as short as nothing
            skeleton = at(text, near).prune(1e-5)
            assert max(apart(skeleton, whole), apart(whole, skeleton)) < 1e-4 * size


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_grows_evenly_between_steps(text: str):
    ages = np.linspace(2.05, 2.95, 19)
    plants = [at(text, age) for age in ages]
    tails = np.array([plant.tail() for plant in plants])
    lengths = np.array([plant.length for plant in plants])
    radii = np.array([plant.radius_tip for plant in plants])
    for values in (tails, lengths, radii):
        moved = np.abs(np.diff(values, axis=0)).max()
        assert moved < 0.25 * np.abs(values).max()
    assert np.abs(np.diff(tails, axis=0)).max() > 0.0 or np.abs(np.diff(radii, axis=0)).max() > 0.0


TREES = ("young_oak", "winter_tree") if IS_FULL else ("winter_tree",)
PIPED = {
    "tip": ("pipe: 2\naxiom: F(0.1, 0.002) A\nA -> F(0.1, 0.002) A", 4),
    "fork": ("pipe: 2\naxiom: F A\nA -> [+F A][-F A]", 4),
    "split": ("pipe: 2\naxiom: F(0.1) A\nF(l) -> F(0.5*l) F(0.5*l)\nA -> [+F(0.1) A] F(0.1) A", 4),
    **{one.name: (one.text, 6) for one in presets() if one.name in TREES},
}


@pytest.mark.parametrize("name", PIPED)
def test_stems_keep_their_thickness_through_a_step(name: str):
    """With the pipe model too: what has just begun to grow weighs as much as there is of it."""
    text, steps = PIPED[name]
    for step in range(1, steps):
        whole = at(text, step)
        for near in (step - 1e-7, step + 1e-7):
            skeleton = at(text, near)
            place = np.linalg.norm(skeleton.tail()[:, None] - whole.tail()[None], axis=2)
            same = (place < 1e-6) & (np.abs(skeleton.length[:, None] - whole.length[None]) < 1e-6)
            assert skeleton.radius_tip[0] == pytest.approx(whole.radius_tip[0], rel=1e-3)
            assert same.any(axis=0).mean() > 0.4 or name == "split"  # where all segments change
            for index in np.flatnonzero(same.any(axis=0)):
                radii = skeleton.radius_tip[same[:, index]]
                assert np.abs(radii - whole.radius_tip[index]).min() < 1e-3 * whole.radius_tip[index], (step, index)


def test_a_tip_grows_into_a_stem_evenly():
    """Of a pipe of exponent 2 the area grows evenly: that of the root's own tip goes, that of two branches comes."""
    text = "pipe: 2\naxiom: F(0.1, 0.002) A\nA -> [+F(0.1, 0.002)][-F(0.1, 0.002)]"
    grown = [at(text, age).radius_tip[0] for age in (0.0, 0.25, 1.0)]
    # branches have also their own radius in proportion to what there is of them
    assert grown == pytest.approx([0.002, 0.002 * np.sqrt(0.75 + 2 * 0.25 * 0.25**2), 0.002 * np.sqrt(2)])


def test_random_numbers_of_the_drawing_are_their_own():
    text = "axiom: A A A\nA -> F(random(0.1, 0.2))\ninterpretation:\nF(l) -> +(random(0, 100)) F(l)"
    drawn = derive(parse(text), 1, seed=3)
    angles = [module.params[0] for module in drawn if module.symbol == "+"]
    lengths = [module.params[0] for module in drawn if module.symbol == "F"]
    assert not np.allclose(np.array(angles) / 100.0, 10.0 * np.array(lengths) - 1.0, atol=1e-3)


def test_lengths_and_turns_by_hand():
    halfway = at(TEXTS["longer"], 1.5)
    assert halfway.length[0] == pytest.approx(0.1 * 1.2 * 1.1)
    assert halfway.radius_tip[0] == pytest.approx(0.002 * 1.3 * 1.15)
    # X -> F[+X][-X]FX: the two F of the axis from nothing; F -> FF: from one length to two
    doubled = at("length: 1\naxiom: F X\nX -> F[+X]FX\nF -> FF", 1.25)
    # 1 F, 2 F and 1 X make 4 + 2 X + 2 F; then F F becomes 4 F, of 2 (1 + 0.25) together
    assert sorted(doubled.length.tolist()) == pytest.approx([0.25] * 4 + [0.625] * 8)
    koch = at("length: 1\nangle: 60\naxiom: F\nF -> F+F--F+F", 0.5)
    assert koch.length.tolist() == pytest.approx([0.25 * (0.5 + 2.0)] * 4)
    heading = np.degrees(np.arctan2(-koch.direction()[:, 0], koch.direction()[:, 2]))
    assert heading.tolist() == pytest.approx([0.0, 30.0, -30.0, 0.0], abs=1e-9)


def test_names_and_colours_have_nothing_in_between():
    text = "axiom: @organ(petiole) '(3) F\n@organ(n) -> @organ(n+2)\n'(n) -> '(n+5)"
    skeleton = at(text, 1.5)
    assert (skeleton.organ[0], skeleton.colour[0]) == (5, 13)
    soft = at("axiom: @young(100) F\n@young(e) -> @young(3*e)", 1.5)
    assert soft.young[0] == pytest.approx(600)


@pytest.mark.parametrize("age", [5e-324, 1e-300, 1e-12, 1 + 1e-15])
def test_what_has_just_begun_is_drawn(age: float):
    skeleton = at("axiom: F A\nA -> F(0.1) ~Flower ~Leaf(0.1, 0.1, 0.001, 3) ~Bud A", age)
    assert np.isfinite(skeleton.radius_tip).all()
    assert len(skeleton.prune(1e-5)) in (1, 7)


def test_a_module_that_stays_does_not_change():
    early, late = at("axiom: F A\nA -> F A", 3.2), at("axiom: F A\nA -> F A", 3.9)
    np.testing.assert_array_equal(early.length[:4], late.length[:4])
    assert early.length[4 - 1] == 0.1
    text = "axiom: A\nA -> F(0.1, 0.01) A"
    assert at(text, 2.5).length.tolist() == pytest.approx([0.1, 0.1, 0.05])
    assert at(text, 2.5).radius_tip.tolist() == pytest.approx([0.01, 0.01, 0.005])


def test_ages_of_modules():
    text = "axiom: A\nA -> I A\ninterpretation:\nI -> F(0.1*age)"
    assert at(text, 3).length.tolist() == pytest.approx([0.2, 0.1, 0.0], abs=1e-8)
    assert at(text, 3.5).length.tolist() == pytest.approx([0.25, 0.15, 0.05])
    timed = "axiom: B\nB : age >= 2 -> C\nC : time > 4 -> D"
    assert [modules_text(derive(parse(timed), n)) for n in range(6)] == ["B", "B", "C", "C", "C", "D"]


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_presets_grow_from_step_to_step(preset):
    """Just before and just after a step, every preset is where it is at the step."""
    grammar = parse(preset.text)
    for step in (2, 5, grammar.steps // 2, grammar.steps):
        whole = draw(grammar, step, prune_below=1e-5)
        for near in (step - 1e-7, step + 1e-7):
            skeleton = draw(grammar, near, prune_below=1e-5)
            assert (len(skeleton) == 0) == (len(whole) == 0)
            if len(whole):
                assert max(apart(skeleton, whole), apart(whole, skeleton)) < 1e-6


def test_grow_takes_any_age():
    assert len(grow("axiom: A\nA -> F A", 2.5)) == 3


@pytest.mark.parametrize(
    ("text", "steps", "ages"),
    [
        ("axiom: A\nA -> F A", 4.0, [3.0, 2.0, 1.0, 0.0]),  # each step adds one that stays
        ("axiom: A\nA -> F A", 3.25, [2.25, 1.25, 0.25, 0.0]),
        ("axiom: F(0.1, 0.01) F\nF(l, r) -> F(2*l, r)", 5.0, [0.0, 5.0]),  # the first is replaced at every step
        ("axiom: A\nA -> I A\ninterpretation:\nI -> F F", 2.0, [1.0, 1.0, 0.0, 0.0]),  # as old as what they draw
        ("axiom: F(1) A\nA -> F(1e-9) F(1) A", 2.0, [2.0, 1.0, 0.0]),  # of what is left after pruning
    ],
)
def test_segments_know_their_age(text, steps, ages):
    np.testing.assert_allclose(draw(parse(text), steps).age, ages, atol=1e-12)


def test_directions_of_the_world_are_turned_to_little_by_little():
    text = "axiom: F(1) A F(1)\nA -> @heading(0, 1, 0)"
    for age in (0.25, 0.5, 1.0):
        angle = np.radians(90 * age)
        assert at(text, age).direction()[1] == pytest.approx([0, np.sin(angle), np.cos(angle)], abs=1e-9)
