# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections that are not round: integrals over their areas, tables of their twist, and beams of them."""

import dataclasses
import math

import numpy as np
import pytest

from solver import LAYOUTS, Sample, Simulation, SolverError, discretize, natural_modes, sections
from solver.hall.chain import hall_chain
from solver.math.rotations import conjugate, logarithm, multiply
from solver.stress import bending_moments
from tests.oracles.models import beam, random_rods
from tests.oracles.runs import flat_beams

WEIGHTLESS = Sample(gravity=(0.0, 0.0, 0.0))

#: Of a groove 1.2 high with walls of 0.2 the farthest fibres, at the ends of its sides, from the middle of its area.
_FARTHEST = 1.2 - (1.6 * 0.2 * 0.1 + 2.0 * 1.0 * 0.2 * 0.7) / (1.6 * 0.2 + 2.0 * 1.0 * 0.2)


def integrals(inside, count: int = 1500) -> np.ndarray:
    """Area, second moments about x and z through the middle of the area, and the farthest from it along z and x, of
    points (x, z) in a square of two units for which inside is true."""
    places = (np.arange(count) + 0.5) / count * 2.0 - 1.0
    x, z = (one.ravel() for one in np.meshgrid(places, places))
    x, z = x[inside(x, z)], z[inside(x, z)]
    cell = (2.0 / count) ** 2
    x, z = x - x.mean(), z - z.mean()
    return np.array([len(x) * cell, (z**2).sum() * cell, (x**2).sum() * cell, np.abs(z).max(), np.abs(x).max()])


@pytest.mark.parametrize(
    ("section", "inside"),
    [
        (sections.ROUND, lambda x, z: x**2 + z**2 < 1.0),
        (sections.elliptic(0.9, 0.3), lambda x, z: (x / 0.9) ** 2 + (z / 0.3) ** 2 < 1.0),
        (sections.flat(0.8, 0.2), lambda x, z: (abs(x) < 0.8) & (abs(z) < 0.2)),
        (sections.grooved(0.8, 0.6, 0.2), lambda x, z: (abs(x) < 0.8) & (abs(z) < 0.6) & ((z < -0.4) | (abs(x) > 0.6))),
    ],
)
def test_areas_and_moments(section: sections.Section, inside) -> None:
    area, x, z, far_z, far_x = integrals(inside)
    assert section.area == pytest.approx(area / math.pi, rel=2e-3)
    assert section.bend_x == section.second_x == pytest.approx(4.0 / math.pi * x, rel=2e-3)
    assert section.bend_z == section.second_z == pytest.approx(4.0 / math.pi * z, rel=2e-3)
    assert section.modulus_x == pytest.approx(4.0 / math.pi * x / far_z, rel=5e-3)
    assert section.modulus_z == pytest.approx(4.0 / math.pi * z / far_x, rel=5e-3)


@pytest.mark.parametrize(("sides", "wanted"), [(1.0, 0.1406), (2.0, 0.2287), (4.0, 0.2808), (10.0, 0.3123)])
def test_twist_of_rectangles_is_that_of_tables(sides: float, wanted: float) -> None:
    """J over long side times short side cubed (Timoshenko and Goodier 1970, section 109)."""
    for section in (sections.flat(sides, 1.0), sections.flat(1.0, sides)):
        assert section.twist * 0.5 * math.pi / (2.0 * sides * 8.0) == pytest.approx(wanted, abs=6e-5)


def test_twist_of_an_ellipse() -> None:
    """J of a circle is pi / 2, that of a thin ellipse pi a b^3."""
    assert sections.elliptic(1.0, 1.0) == pytest.approx(sections.ROUND)
    assert sections.elliptic(1.0, 1e-3).twist * 0.5 == pytest.approx(1e-9, rel=1e-5)


def test_measured_sections_have_the_ratio_that_was_asked_for() -> None:
    """EI/GJ = 13.3 of a daffodil's stem (Etnier and Vogel 2000)."""
    section = sections.measured(bend=0.8, aspect=2.0, twist_ratio=13.3, poisson=0.3)
    bodies = discretize(beam(4, section=section, poisson=0.3)).bodies
    x, twist, z = bodies.stiffness.T
    assert np.allclose(z / x, 2.0)
    assert np.allclose(x / twist, 13.3)
    assert np.array_equal(bodies.mass, discretize(beam(4)).bodies.mass)


@pytest.mark.parametrize("wrong", [(0.0, 1.0), (1.0, -1.0), (1.0, math.nan)])
def test_sections_without_size_are_refused(wrong: tuple[float, float]) -> None:
    for shape in (sections.elliptic, sections.flat):
        with pytest.raises(SolverError, match="more than 0"):
            shape(*wrong)
    with pytest.raises(SolverError, match="leaves no groove"):
        sections.grooved(1.0, 0.5, 1.2)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", ["x", "z"])
def test_a_flat_beam_bends_about_either_axis_as_a_round_one_of_that_stiffness(layout: str, axis: str) -> None:
    """So that it has the layout's order."""
    flat = sections.flat(2.0, 0.4)
    force = {"x": (0.0, 0.0, -1.0), "z": (0.0, -1.0, 0.0)}[axis]  # the rod lies along x with its flat side up
    bend = flat.bend_x if axis == "x" else flat.bend_z
    push = tuple(0.01 * 3.0 * 8100e6 * 0.25 * math.pi * 0.01**4 * bend * np.array(force))
    tips = [
        flat_beams.bent_tip(section, young, layout, push)
        for section, young in ((flat, 8100e6), (sections.ROUND, 8100e6 * bend))
    ]
    assert np.abs(tips[0] - tips[1]).max() < 1e-9
    assert np.abs(tips[0][1:]).max() == pytest.approx(0.01 * 0.9, rel=0.3)


def test_a_clamped_blade_on_edge_buckles_sideways_where_theory_says() -> None:
    found, wanted = flat_beams.buckling()
    assert found == pytest.approx(wanted, rel=5e-3)


@pytest.mark.parametrize("what", flat_beams.COMPARED)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_flat_beams_come_to_theory_with_their_layouts_order(layout: str, what: str) -> None:
    """Bending about both axes, twist, and buckling sideways, which is both: within 0.5 % with enough rods."""
    limit = flat_beams.limit(what, layout)
    coarse, fine = (abs(flat_beams.of_theory(what, layout, rods) - limit) for rods in (20, 40))
    assert fine < 1e-9 or math.log2(coarse / fine) > flat_beams.ORDERS[layout] - 0.05
    assert abs(flat_beams.of_theory(what, layout, 320)) < 5e-3


def test_frequencies_of_a_flat_beam() -> None:
    """Both families of bending and torsion."""
    frequency = natural_modes(flat_beams.flat_beam(60), WEIGHTLESS, 8).frequency
    assert frequency == pytest.approx(flat_beams.theory(), rel=2e-3)


@pytest.mark.parametrize("mode", [0, 1, 7])
def test_frequencies_of_a_flat_beam_in_motion(mode: int) -> None:
    """The first of either family and that of torsion."""
    assert flat_beams.swinging(mode) == pytest.approx(flat_beams.theory()[mode], rel=1e-2)


def test_stress_is_that_of_the_sections_own_height() -> None:
    """M / W about either axis."""
    flat, radius = sections.flat(2.0, 0.4), 0.01
    model = discretize(beam(4, radius=radius, section=flat), "base")
    for axis, modulus in ((0, flat.modulus_x), (2, flat.modulus_z)):
        turn = np.zeros((4, 4))
        turn[:, 0], turn[:, 1 + axis] = math.cos(0.005), math.sin(0.005)
        moments = bending_moments(model.bodies, turn, 1.0)
        wanted = 0.01 * model.bodies.stiffness[:, axis] / modulus
        assert moments == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize(
    ("section", "outline"),
    [
        (sections.ROUND, lambda around: (np.cos(around), np.sin(around))),
        (sections.elliptic(2.0, 0.4), lambda around: (2.0 * np.cos(around), 0.4 * np.sin(around))),
        (sections.flat(2.0, 0.4), lambda around: (2.0 * np.sign(np.cos(around)), 0.4 * np.sign(np.sin(around)))),
        (sections.grooved(0.8, 0.6, 0.2), lambda around: (0.8 * np.sign(np.cos(around)), _FARTHEST * np.sign(around))),
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_stress_of_bending_about_both_axes_is_the_most_around_the_outline(section, outline, share: float) -> None:
    """M_x z / I_x + M_z x / I_z at every fibre. A groove's corners are those of its floor, or of its sides' ends."""
    model = discretize(beam(4, section=section), "base")
    angle, K = 0.01 * np.array([share, 1.0 - share]), model.bodies.stiffness[:, ::2]
    turn = np.tile([math.cos(0.5 * np.hypot(*angle)), 0.0, 0.0, 0.0], (4, 1))
    turn[:, 1::2] = angle / np.hypot(*angle) * math.sin(0.5 * np.hypot(*angle))
    x, z = outline(np.linspace(-math.pi, math.pi, 100_000))
    fibres = K[:, :1] * angle[0] * z / section.bend_x + K[:, 1:] * angle[1] * x / section.bend_z
    assert bending_moments(model.bodies, turn, 1.0) == pytest.approx(fibres.max(axis=1), rel=1e-4)


def test_a_flat_rod_breaks_where_its_corner_bears_too_much() -> None:
    """A force along the diagonal breaks it with half of the stress that it may have about either axis."""
    flat, strength, radius, n = sections.flat(2.0, 0.4), 1e6, 0.01, 4
    stiff = beam(n, radius=radius, section=flat, strength=strength, young=1e12)
    arm = 1.0 - 0.5 / n  # the last rod's middle is where its force acts
    bears = strength * 0.25 * math.pi * radius**3 / arm * np.array([flat.modulus_x, flat.modulus_z])
    for share, breaks in ((0.49, False), (0.51, True)):
        force = np.zeros((n, 3))
        force[-1, 2], force[-1, 1] = share * bears
        plant, pushed = Simulation(discretize(stiff, "base")), Sample(gravity=(0.0, 0.0, 0.0), force=force)
        plant.start(pushed, "settled")
        plant.advance(pushed, 1 / 24)
        assert plant.broken().any() == breaks


def test_sections_grow_with_their_rods() -> None:
    flat = sections.flat(2.0, 0.4)
    one = discretize(beam(4, section=flat)).bodies
    wide = discretize(dataclasses.replace(beam(4, section=flat), radius_base=0.02, radius_tip=0.02)).bodies
    assert wide.stiffness == pytest.approx(16.0 * one.stiffness)
    assert wide.mass == pytest.approx(4.0 * one.mass)


def test_round_sections_are_as_before() -> None:
    plain, told = discretize(beam(4)), discretize(beam(4, section=sections.ROUND))
    for name in ("stiffness", "mass", "inertia"):
        assert np.array_equal(getattr(plain.bodies, name), getattr(told.bodies, name))


def test_sections_by_name_have_the_area_of_the_round_one() -> None:
    kinds = np.arange(4).repeat(2)
    found = sections.of_kinds(kinds, np.tile([1.0, 4.0], 4), np.zeros(8), np.full(8, 0.3))
    assert np.allclose(found[:, 3], 1.0)
    assert np.array_equal(found[:2], np.ones((2, 9)))
    assert found[3] == pytest.approx(sections.elliptic(2.0, 0.5))
    assert (found[3::2, 1] > 4.0 * found[3::2, 0]).all()  # wider bends less about z
    assert (found[6:, 2] < 0.5 * np.sqrt(found[6:, 0] * found[6:, 1])).all()  # grooves twist easily
    told = sections.of_kinds(np.array([0, 2]), np.array([1.0, 6.0]), np.array([4.3, 12.0]), np.array([0.3, 0.2]))
    assert told[:, 0] * [1.3, 1.2] / told[:, 2] == pytest.approx([4.3, 12.0])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("section", [sections.flat(2.0, 0.4), sections.measured(1.0, 3.0, 13.3)], ids=["flat", "stalk"])
def test_torque_twists_a_rod_by_its_own_stiffness(section: sections.Section, layout: str) -> None:
    """T L / G J, of the length up to the last rod's joint or its end, whichever the layout has."""
    young, torque, n = 1e9, 0.05, 8
    applied = np.zeros((n, 3))
    applied[-1, 0] = torque
    plant = Simulation(discretize(beam(n, young=young, section=section), layout))
    drawn = plant.rod_orientations()[-1]
    assert plant.start(Sample(gravity=(0.0, 0.0, 0.0), torque=applied), "settled").balanced
    turn = np.linalg.norm(logarithm(multiply(conjugate(drawn), plant.rod_orientations()[-1])))
    whole = torque / (young / 2.6 * section.twist * 0.5 * math.pi * 0.01**4)
    assert 0.92 < turn / whole < 1.001


def test_flat_and_grooved_trees_keep_their_drawn_shape() -> None:
    rng = np.random.default_rng(4)
    kinds = rng.integers(0, 4, 30)
    section = sections.of_kinds(kinds, rng.uniform(0.3, 4.0, 30), np.zeros(30), np.full(30, 0.3))
    plant = Simulation(discretize(random_rods(rng, 30, young=1e8, section=section)))
    drawn = plant.rod_tails()
    plant.start(Sample(), "keep_shape")
    for _ in range(24):
        plant.advance(Sample(), 1 / 24)
    assert plant.rod_tails() == pytest.approx(drawn, abs=1e-6)


@pytest.mark.parametrize(("way", "axis"), [((0.0, 0.0, -1.0), "bend_x"), ((0.0, -1.0, 0.0), "bend_z")])
def test_halls_chain_bends_flat_rods_as_round_ones_as_stiff(way: tuple[float, float, float], axis: str) -> None:
    flat, force = sections.flat(2.0, 0.4), np.zeros((6, 3))
    bend = getattr(flat, axis)
    force[-1] = 20.0 * bend * np.array(way)
    tails = [
        hall_chain(beam(6, section=section, young=1e9 * stiffer), (0.0, 0.0, 0.0), force, tolerance=1e-12).tail
        for section, stiffer in ((flat, 1.0), (sections.ROUND, bend))
    ]
    assert np.abs(tails[0][-1] @ np.array(way)) > 0.05
    assert tails[0] == pytest.approx(tails[1], abs=1e-9)
