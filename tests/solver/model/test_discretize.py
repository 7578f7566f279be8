# SPDX-License-Identifier: GPL-3.0-or-later
"""From rods to bodies: masses and inertias in all layouts, explicit bodies, and what is refused."""

import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver import LAYOUTS, Rods, Sample, Simulation, SolverError, discretize
from solver.math.rotations import rotate
from solver.model.layouts import AT_THE_BASE
from solver.model.mass_properties import THINNEST
from tests.oracles.models import ALONG_Z, beam, binary_tree, random_rods
from tests.oracles.poses import poses


def of_plant(rods):
    """Mass, centre of mass and inertia about the origin of solid cones, by slicing them into discs."""
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    y, w = np.polynomial.legendre.leggauss(20)
    for i in range(len(rods)):
        axis = rotate(rods.array("frame")[i], np.array([0.0, 1.0, 0.0]))
        length, density = rods.array("length")[i], rods.array("density")[i]
        r0, r1 = rods.array("radius_base")[i], rods.array("radius_tip")[i]
        for s, weight in zip(0.5 + 0.5 * y, 0.5 * w * length, strict=True):
            r = r0 + (r1 - r0) * s
            m = density * np.pi * r**2 * weight
            at = rods.array("head")[i] + s * length * axis
            mass, first = mass + m, first + m * at
            disc = m * r**2 * (0.25 * np.eye(3) + 0.25 * np.outer(axis, axis))
            second += disc + m * (at @ at * np.eye(3) - np.outer(at, at))
    return mass, first / mass, second


def of_model(model):
    """The same of a model's bodies where they are drawn."""
    orientation, position = poses(model)
    bodies = model.bodies
    com = position + rotate(orientation, bodies.com)
    R = Rotation.from_quat(orientation[:, [1, 2, 3, 0]]).as_matrix()
    second = np.zeros((3, 3))
    for i in range(model.body_count):
        xx, xy, xz, yy, yz, zz = bodies.inertia[i]
        c, m = bodies.com[i], bodies.mass[i]
        about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        about_com = about_joint - m * (c @ c * np.eye(3) - np.outer(c, c))
        second += R[i] @ about_com @ R[i].T + m * (com[i] @ com[i] * np.eye(3) - np.outer(com[i], com[i]))
    mass = bodies.mass.sum()
    return mass, bodies.mass @ com / mass, second


def less_the_stub(plant, rods, share):
    """The same without the share of the first rod that is welded to the base."""
    if share == 0.0:
        return plant
    r0, r1 = rods.array("radius_base")[:1], rods.array("radius_tip")[:1]
    stub = Rods(
        [-1], rods.array("head")[:1], rods.array("frame")[:1], share * rods.array("length")[:1], r0,
        r0 + share * (r1 - r0), 1.0, rods.array("density")[:1],
    )  # fmt: skip
    (mass, com, second), (m, c, i) = plant, of_plant(stub)
    return mass - m, (mass * com - m * c) / (mass - m), second - i


@pytest.mark.parametrize("segments", [1, 3])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(3))
def test_mass_properties_are_the_plants(seed, layout, segments):
    rods = random_rods(np.random.default_rng(seed), 15)
    model = discretize(rods, layout, segments)
    expected = less_the_stub(of_plant(rods), rods, model.stub[0])
    for one, other in zip(of_model(model), expected, strict=True):
        assert np.abs(one - other).max() < 1e-12 * np.abs(other).max()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_body_has_the_mass_of_what_is_welded_to_it(layout):
    """Two branches at an angle, one more on them, one pinned: rigid Ys, summed up from small discs."""
    rng = np.random.default_rng(3)
    rods = random_rods(rng, 6, pinned=[0, 0, 1, 0, 0, 0])
    rods.parent_index[:] = [-1, 0, 0, 0, 1, 1]
    tip = rods.array("head") + rods.array("length")[:, None] * rotate(rods.array("frame"), np.array([0.0, 1.0, 0.0]))
    rods.head[1:4], rods.head[4:] = tip[0], tip[1]
    model = discretize(rods, layout)
    bodies = model.bodies
    orientation, position = poses(model)
    found = [[0.0, np.zeros(3), np.zeros((3, 3))] for _ in range(model.body_count)]
    for i in range(len(rods)):
        joints = range(model.first_joint[i], model.first_joint[i] + model.joint_count[i])
        ends = [0.0, *(model.body_at[j] for j in joints), 1.0]
        length, r0, r1 = (rods.array(name)[i] for name in ("length", "radius_base", "radius_tip"))
        for body, start, end in zip([model.lower[i], *joints], ends[:-1], ends[1:], strict=True):
            if body < 0:
                continue
            to_body = Rotation.from_quat(orientation[body][[1, 2, 3, 0]]).inv().as_matrix()
            along = rotate(rods.array("frame")[i], np.array([0.0, 1.0, 0.0]))
            axis = to_body @ along
            for s in start + (np.arange(200) + 0.5) / 200 * (end - start):
                r = r0 + s * (r1 - r0)
                m = rods.array("density")[i] * np.pi * r**2 * length * (end - start) / 200
                at = to_body @ (rods.array("head")[i] + s * length * along - position[body])
                spin = m * r**2 * (0.25 * np.eye(3) + 0.25 * np.outer(axis, axis))
                found[body][0] += m
                found[body][1] += m * at
                found[body][2] += spin + m * (at @ at * np.eye(3) - np.outer(at, at))
    for i, (m, first, second) in enumerate(found):
        known = second[(0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)]
        assert bodies.mass[i] == pytest.approx(m, rel=1e-5)
        assert bodies.com[i] == pytest.approx(first / m, abs=1e-6)
        assert bodies.inertia[i] == pytest.approx(known, abs=1e-4 * np.trace(second))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_drawn_rods_are_where_they_were_drawn(layout):
    rng = np.random.default_rng(9)
    rods = random_rods(rng, 20, pinned=rng.random(20) < 0.3)
    plant = Simulation(discretize(rods, layout))
    plant.start(Sample())
    axis = rotate(rods.array("frame"), np.array([0.0, 1.0, 0.0]))
    assert np.abs(plant.rod_heads() - rods.array("head")).max() < 1e-14
    assert np.abs(plant.rod_tails() - rods.array("head") - rods.array("length")[:, None] * axis).max() < 1e-14
    assert np.abs(np.abs((plant.rod_orientations() * rods.array("frame")).sum(axis=1)) - 1.0).max() < 1e-14


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pinned_rods_are_rigid(layout):
    """A pinned rod moves with what it sits on; pinned at the base it makes the beam shorter."""
    pinned = [1, 1, 0, 0, 0, 0]
    whole, short = discretize(beam(6, pinned=pinned), layout), discretize(beam(4, length=4 / 6), layout)
    assert whole.body_count == short.body_count
    assert whole.bodies.stiffness == pytest.approx(short.bodies.stiffness, rel=1e-12)
    plant = Simulation(whole)
    plant.start(Sample(), "settled")
    assert np.abs(plant.rod_tails()[1] - [1 / 3, 0, 0]).max() < 1e-15
    inner = Simulation(discretize(beam(6, pinned=[0, 0, 1, 0, 0, 0], radius=0.003), layout))
    inner.start(Sample(), "settled")
    bent = inner.rod_orientations()
    if layout in AT_THE_BASE:
        assert np.abs(bent[2] - bent[1]).max() < 1e-12
    assert np.abs(bent[2] - bent[3]).max() > 1e-4


@pytest.mark.parametrize("layout", LAYOUTS)
def test_several_roots_move_independently(layout):
    one = beam(4, damping_time=0.01)
    head = one.array("head")
    two = Rods(
        parent=[-1, 0, 1, 2, -1, 4, 5, 6], head=np.concatenate([head, head + np.array([0, 1, 0])]),
        frame=one.array("frame")[0], length=0.25, radius_base=0.01, radius_tip=0.01, young=8100e6, density=923.0,
        damping_time=0.01,
    )  # fmt: skip
    plants = [Simulation(discretize(rods, layout)) for rods in (one, two)]
    for plant in plants:
        plant.start(Sample())
        for k in range(12):
            plant.advance(Sample(base_position=(0.0, 0.0, 0.01 * k)), 1 / 24)
    assert np.abs(plants[1].rod_tails()[:4] - plants[0].rod_tails()).max() < 1e-13
    assert np.abs(plants[1].rod_tails()[4:] - plants[0].rod_tails() - [0, 1, 0]).max() < 1e-13


@pytest.mark.parametrize("layout", ["base", "double_root"])
def test_explicit_bodies(layout):
    """Mass, centre of mass, inertia about the joint and stiffness as given, rod by rod; others keep the cylinder's."""
    nan = np.nan
    rods = beam(
        3, mass=[nan, 2.0, nan], com=[[nan] * 3, [0.05, 0.1, -0.02], [nan] * 3],
        inertia=[[nan] * 3, [0.9, 0.3, 0.8], [nan] * 3], stiffness=[[nan] * 3, [1.0, 2.0, 3.0], [nan] * 3],
        stiffness_factor=[1.0, 10.0, 1.0],
    )  # fmt: skip
    found, plain = discretize(rods, layout).bodies, discretize(beam(3), layout).bodies
    assert found.mass[1] == 2.0
    assert found.com[1] == pytest.approx([0.05, 0.1, -0.02], rel=1e-14)
    assert found.inertia[1] == pytest.approx([0.9, 0, 0, 0.3, 0, 0.8], abs=1e-14)
    assert found.stiffness[1] == pytest.approx([10.0, 20.0, 30.0], rel=1e-14)
    for k in (0, 2):
        assert found.mass[k] == plain.mass[k]
        assert found.inertia[k] == pytest.approx(plain.inertia[k], rel=1e-14)
        assert found.stiffness[k] == pytest.approx(plain.stiffness[k], rel=1e-14)


def test_explicit_mass_alone_scales_the_cylinder():
    found, plain = (discretize(rods, "double_root").bodies for rods in (beam(1, mass=5.0), beam(1)))
    assert found.inertia == pytest.approx(plain.inertia * 5.0 / plain.mass[0], rel=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_welded_explicit_body_is_counted_once(layout):
    rods = beam(3, mass=[np.nan, np.nan, 0.5], pinned=[0, 0, 1])
    model = discretize(rods, layout)
    lengths = (2.0 - model.stub[0]) / 3.0
    assert model.bodies.mass.sum() == pytest.approx(923.0 * np.pi * 0.01**2 * lengths + 0.5, rel=1e-12)


REFUSED = {
    "nothing to simulate": ({"parent": []}, "nothing to simulate", None),
    "parent": ({"parent": [-1, 2, 0]}, "parent", 1),
    "length": ({"length": [1.0, 0.0, 1.0]}, "length", 1),
    "radius": ({"radius_tip": [1.0, 1.0, -1.0]}, "radius tip", 2),
    "young": ({"young": [1e9, np.nan, 1e9]}, "young is not", 1),
    "density": ({"density": np.inf}, "density is not", 0),
    "poisson": ({"poisson": [0.3, 0.3, 0.6]}, "poisson", 2),
    "damping": ({"damping_time": -1.0}, "damping time", 0),
    "frame": ({"frame": (1.0, 1.0, 0.0, 0.0)}, "unit quaternion", 0),
    "head": ({"head": np.full((3, 3), np.nan)}, "head is not", 0),
    "shape": ({"length": [1.0, 1.0]}, "shape", None),
    "mass": ({"mass": [1.0, 1.0, 0.0]}, "mass", 2),
    "stiffness": ({"stiffness": [[1.0, -1.0, 1.0]] * 3}, "stiffness", 0),
    "inertia": ({"mass": 1.0, "com": [0.0, 1.0, 0.0], "inertia": [0.5, 0.5, 0.5]}, "inertia about the joint", 0),
    "pinned": ({"pinned": 1.0}, "nothing can move", None),
    "huge": ({"radius_base": 1e200, "radius_tip": 1e200}, "out of range", 0),
    "hollow": ({"hollow": [0.0, 0.5, 1.0]}, "hollow", 2),
    "limit": ({"bend_limit": [1.0, -1.0, 1.0]}, "bend limit", 1),
    "no limit": ({"twist_limit": [1.0, 1.0, np.nan]}, "twist limit", 2),
    "drag": ({"drag_across": [1.0, -1.0, 1.0]}, "drag across", 1),
    "blade": ({"blade_area": np.inf}, "blade area is not", 0),
    "thin": ({"radius_base": [1.0, 1e-200, 1.0], "radius_tip": [1.0, 1e-200, 1.0]}, "range|thin", 1),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_simulated_is_refused_with_the_rod(case):
    columns, words, rod = REFUSED[case]
    good = {
        "parent": [-1, 0, 1], "head": np.zeros((3, 3)), "frame": ALONG_Z, "length": 1.0,
        "radius_base": 0.1, "radius_tip": 0.1, "young": 1e9, "density": 1000.0,
    }  # fmt: skip
    with pytest.raises(SolverError, match=words) as error:
        discretize(Rods(**(good | columns)), "double_root")
    assert error.value.rod == rod
    assert error.value.message


def test_layouts_are_checked():
    with pytest.raises(SolverError, match="unknown layout"):
        discretize(beam(2), "middle")
    for name in ("mass", "inertia"):
        with pytest.raises(SolverError, match="layout") as error:
            discretize(beam(2, **{name: [[np.nan], [9.0]] if name == "inertia" else [np.nan, 1.0]}), "gauss2")
        assert error.value.rod == 1
    with pytest.raises(SolverError, match="one segment") as error:
        discretize(beam(2, mass=[np.nan, 1.0]), "double_root", segments=2)
    assert error.value.rod == 1


@pytest.mark.parametrize("segments", [0, -1, 2.5, [1, 2, 3], [[1, 2]]])
def test_segments_are_checked(segments):
    with pytest.raises(SolverError, match="segment"):
        discretize(beam(2), segments=segments)


@pytest.mark.parametrize("tip_error", [0.0, -1.0, np.nan, np.inf])
def test_the_tip_error_is_checked(tip_error):
    with pytest.raises(SolverError, match="tip_error"):
        discretize(beam(2), tip_error=tip_error)


def test_segments_of_rods_and_fewest_segments():
    model = discretize(beam(3, pinned=[0, 1, 0]), segments=[1, 7, 4])
    assert model.joint_count.tolist() == [2, 0, 8]
    cut = discretize(beam(3), segments=[1, 2, 3], tip_error=1e9)
    assert cut.joint_count.tolist() == [2, 4, 6]
    assert discretize(beam(1), tip_error=1e-3).body_count > 10


def test_a_large_tree_is_discretized_at_once():
    rods = binary_tree(12, 7)
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        discretize(rods)
        best = min(best, time.perf_counter() - start)
    assert best < 0.1


def test_models_are_not_changed_by_simulations():
    model = discretize(binary_tree(3, 3))
    before = [a.copy() for a in model.bodies]
    plant = Simulation(model)
    plant.start(Sample(), "settled")
    plant.advance(Sample(), 1 / 24)
    for one, other in zip(before, model.bodies, strict=True):
        assert np.array_equal(one, other)


def least_inertias(rods):
    bodies = discretize(rods).bodies
    return np.linalg.eigvalsh(bodies.inertia[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(-1, 3, 3))[:, 0], bodies.inertia


@pytest.mark.parametrize("pieces", [10, 200])
def test_a_thread_spins_no_lighter_than_sums_can_tell(pieces):
    """By what the whole of it, a straight rod, has about its base: m L^2 / 3."""
    mass = discretize(beam(pieces, length=1.0, radius=1e-7)).bodies.mass.sum()
    least, inertia = least_inertias(beam(pieces, length=1.0, radius=1e-7))
    assert least.sum() == pytest.approx(THINNEST * mass / 3.0, rel=1e-3)
    assert (inertia[:, 0] < mass / 3.0).all()


@pytest.mark.parametrize("pieces", [1, 10, 100, 800])
@pytest.mark.parametrize(("length", "radius"), [(1.0, 1e-4), (10.0, 1e-3), (20.0, 2e-3)])
def test_a_hair_is_no_thicker_than_it_is(pieces, length, radius):
    rods = beam(pieces, length=length, radius=radius)
    least, _ = least_inertias(rods)
    assert least == pytest.approx(0.5 * discretize(rods).bodies.mass * radius**2, rel=1e-6)
