# SPDX-License-Identifier: GPL-3.0-or-later
"""Hall's chain solver: its two forms, trees, balance, convergence and input; accuracy is in test_hall_accuracy."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solver import Rods, Sample, Simulation, SolverError, discretize
from solver.hall.chain import ELEMENTS, hall_chain
from solver.math.rotations import multiply, rotate
from tests.oracles.models import ALONG_X, beam, binary_tree, random_quaternions, random_rods
from tests.oracles.runs.hall_beam import LINE, RADIUS, WEIGHTLESS, YOUNG, at_tip, bent_beam, tree_tails


def load_moment(rods, found, i, about, force, torque, gravity):
    """Moment about a point of all that is loaded beyond rod i's tip, by plain sums; rods of constant radius."""
    middle = 0.5 * (found.head + found.tail)
    moment = np.zeros(3)
    for j in range(len(rods)):
        k = j
        while k > i:
            k = rods.parent_index[k]
        if k == i:
            moment += np.cross(found.tail[j] - about, force[j]) + torque[j]
            if j != i:
                moment += np.cross(middle[j] - about, mass_of(rods, j) * gravity)
    return moment


def mass_of(rods, i):
    return rods.density[i] * np.pi * rods.radius_base[i] ** 2 * rods.length[i]


def test_springs_balance_the_loads_of_the_whole_tree():
    """1R: every joint's springs hold what is beyond the rod's tip, found by plain sums over the tree."""
    rng = np.random.default_rng(3)
    rods = binary_tree(2, 4, radius=0.008, young=1e9)
    m, gravity = len(rods), np.array([0.0, 1.0, -9.81])
    force, torque = 0.02 * rng.normal(size=(m, 3)), 0.002 * rng.normal(size=(m, 3))
    found = hall_chain(rods, gravity, force, torque, element="1R", tolerance=1e-12)
    assert found.converged
    needed = np.array([load_moment(rods, found, i, found.tail[i], force, torque, gravity) for i in range(m)])
    # The middle of the chord is not quite the centre of mass of a bent element; the difference is of third order.
    assert np.abs(found.moment - needed).max() < 2e-3 * np.abs(needed).max()
    force_only = hall_chain(rods, WEIGHTLESS, force, torque, element="1R", tolerance=1e-12)
    needed = [load_moment(rods, force_only, i, force_only.tail[i], force, torque, np.zeros(3)) for i in range(m)]
    assert np.abs(force_only.moment - needed).max() < 1e-9 * np.abs(needed).max()


@pytest.mark.parametrize("element", ["3R", "3R corrected"])
def test_the_root_bears_the_weight_of_the_tree(element):
    """The springs of the root's first joint hold the moment of all that is beyond, found by plain sums."""
    rods = binary_tree(2, 4, radius=0.008, young=1e9)
    found = hall_chain(rods, element=element, segments=4, tolerance=1e-12)
    assert found.converged
    joint = found.head[0] + 0.12525 / 4 * rods.length[0] * rotate(found.frame[0], np.array([0.0, 1.0, 0.0]))
    nothing = np.zeros((len(rods), 3))
    weight = load_moment(rods, found, 0, joint, nothing, nothing, np.array([0.0, 0.0, -9.81]))
    weight += np.cross(0.5 * (found.head[0] + found.tail[0]) - joint, mass_of(rods, 0) * np.array([0.0, 0.0, -9.81]))
    assert np.abs(found.moment[0] - weight).max() < 2e-3 * np.abs(found.moment).max()
    # With forces at the tips only there is nothing to approximate.
    force = np.full((len(rods), 3), (0.01, 0.0, 0.0))
    found = hall_chain(rods, WEIGHTLESS, force, element=element, tolerance=1e-12)
    assert found.converged
    for i in range(len(rods)):
        joint = found.head[i] + 0.12525 * rods.length[i] * rotate(found.frame[i], np.array([0.0, 1.0, 0.0]))
        needed = load_moment(rods, found, i, joint, force, nothing, np.zeros(3))
        assert np.abs(found.moment[i] - needed).max() < 1e-9 * np.abs(found.moment).max()


def cut(rods, k):
    """The same rods, each in k equal pieces."""
    n = len(rods)
    index = np.repeat(np.arange(n), k)
    piece = np.tile(np.arange(k), n)
    parent = np.where(piece > 0, np.arange(n * k) - 1, rods.parent_index[index] * k + k - 1)
    parent[(piece == 0) & (rods.parent_index[index] < 0)] = -1
    length = rods.length[index] / k
    axis = rotate(rods.frame[index], np.array([0.0, 1.0, 0.0]))
    radius = [rods.radius_base[index] + (rods.radius_tip - rods.radius_base)[index] * (piece + e) / k for e in (0, 1)]
    return Rods(
        parent=parent, head=rods.head[index] + (piece * length)[:, None] * axis, frame=rods.frame[index],
        length=length, radius_base=radius[0], radius_tip=radius[1], young=rods.young[index],
        density=rods.density[index],
    )  # fmt: skip


def settled(rods, segments):
    plant = Simulation(discretize(rods, "prbm3r", segments=segments))
    plant.start(Sample(), "settled")
    return plant.rod_tails()


def test_our_own_statics_of_the_same_joints():
    """Two algorithms that share no equation: sweeps over elements here, Newton on all joints there."""
    plants = {
        "standing": binary_tree(3, 4, radius=0.008), "bent": beam(5, young=1e7),
        "pinned": beam(5, young=1e7, pinned=[0, 0, 1, 0, 1]),
    }  # fmt: skip
    for rods in plants.values():
        for segments in (1, 2):
            found = hall_chain(rods, element="3R corrected", segments=segments, tolerance=1e-12)
            assert found.converged
            assert np.abs(found.tail - settled(rods, segments)).max() < 1e-9


def test_tapered_rods_converge_to_our_own_statics():
    """An element is as stiff as the tapered rod as a whole, which is right to second order in its length."""
    rods = random_rods(np.random.default_rng(4), 12)
    gaps = [
        np.abs(hall_chain(rods, element="3R corrected", segments=k).tail - settled(rods, k)).max() for k in (2, 4, 8)
    ]
    assert gaps[0] / gaps[1] == pytest.approx(4.0, abs=0.5)
    assert gaps[1] / gaps[2] == pytest.approx(4.0, abs=0.5)
    assert gaps[2] < 3e-4


@pytest.mark.parametrize("element", ELEMENTS)
def test_segments_are_cut_rods(element):
    rods = random_rods(np.random.default_rng(4), 12)
    whole, pieces = hall_chain(rods, element=element, segments=3), hall_chain(cut(rods, 3), element=element)
    assert np.abs(whole.tail - pieces.tail[2::3]).max() < 1e-12
    assert np.abs(whole.head - pieces.head[::3]).max() < 1e-12
    assert np.abs(whole.tip_frame - pieces.tip_frame[2::3]).max() < 1e-12
    assert np.abs(whole.frame - pieces.frame[::3]).max() < 1e-12


@pytest.mark.parametrize("step", ["full", "cautious"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_both_forms_are_equal_after_every_iteration(element, step):
    rng = np.random.default_rng(1)
    rods = random_rods(rng, 40, young=3e9)  # so stiff that full turns converge; else rounding grows as the turns do
    force, torque = 0.05 * rng.normal(size=(40, 3)), 0.01 * rng.normal(size=(40, 3))
    for iterations in range(1, 16):
        options = {"element": element, "step": step, "iterations": iterations, "increments": 1 + iterations % 3}
        direct, fast = (
            hall_chain(rods, (1.0, 2.0, -9.0), force, torque, form=f, **options) for f in ("direct", "fast")
        )
        for name in ("head", "tail", "frame", "tip_frame"):
            assert np.abs(getattr(direct, name) - getattr(fast, name)).max() < 1e-12
        assert direct.iterations == fast.iterations
    assert hall_chain(rods, (1.0, 2.0, -9.0), force, torque, element=element, step=step).converged


COUNT = """
import json, os, sys
os.environ["PLANT_DYNAMICS_KERNELS"] = "python"  # whose calls can be counted
import solver
from tests.oracles.runs.hall_beam import counted, tree_tails
assert solver.running().how == "python"
json.dump({"calls": {form: [counted(form, n) for n in (10, 20, 30, 40)] for form in ("direct", "fast")},
           "tails": tree_tails().tolist()}, sys.stdout)
"""


def test_cost_and_result_in_plain_python():
    """Calls counted in plain Python: exactly a line in n for one form and exactly a parabola for the other."""
    project = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", COUNT], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert np.abs(np.array(result["tails"]) - tree_tails()).max() < 1e-9
    fast, direct = np.array(result["calls"]["fast"]), np.array(result["calls"]["direct"])
    assert (np.diff(fast, 2) == 0).all()
    assert fast[0] > 0
    assert (np.diff(direct, 3) == 0).all()
    assert (np.diff(direct, 2) > 0).all()


@pytest.mark.parametrize("element", ["1R", "3R"])
def test_what_has_not_converged_says_so(element):
    """Full turns with few elements wander off; what they end in may even look balanced, joint by joint."""
    wanted = bent_beam(2, alpha=20.0, element=element)
    assert wanted.converged
    for most in (5, 50, 5000):
        found = bent_beam(2, alpha=20.0, element=element, step="full", iterations=most)
        assert not found.converged
        assert found.iterations <= most
        assert np.isfinite(found.tail).all()
    assert bent_beam(16, alpha=10.0, element=element, step="full").converged  # enough elements
    few = bent_beam(8, alpha=10.0, element=element, iterations=3)
    assert not few.converged
    assert few.iterations == 3
    assert few.residual > 1e-3


def test_load_increments_lead_to_the_same_plane_curve():
    for element in ELEMENTS:
        found = [bent_beam(8, alpha=5.0, element=element, increments=k) for k in (1, 3, 10)]
        assert found[2].iterations > found[0].iterations
        assert np.abs(found[0].tail - found[2].tail).max() < 1e-8
        assert np.abs(found[1].tail - found[2].tail).max() < 1e-8


def test_a_collapsed_tree_is_in_balance():
    found = hall_chain(binary_tree(5, 5), element="3R corrected")
    assert found.converged
    lengths = np.linalg.norm(found.tail - found.head, axis=1)
    assert lengths.max() < 0.05 * (1 + 1e-12)
    assert found.tail[-1, 2] < -0.3


@pytest.mark.parametrize("element", ELEMENTS)
def test_turning_the_world_turns_the_answer(element):
    rods = random_rods(np.random.default_rng(7), 20)
    q = random_quaternions(np.random.default_rng(8), 1)[0]
    turned = Rods(
        parent=rods.parent, head=rotate(q, rods.head), frame=multiply(q, rods.frame), length=rods.length,
        radius_base=rods.radius_base, radius_tip=rods.radius_tip, young=rods.young, density=rods.density,
    )  # fmt: skip
    gravity = np.array([0.0, 0.0, -9.81])
    here, there = hall_chain(rods, gravity, element=element), hall_chain(turned, rotate(q, gravity), element=element)
    assert np.abs(there.tail - rotate(q, here.tail)).max() < 1e-9


def test_the_order_of_the_rods_does_not_matter():
    """Breadth first instead of depth first."""
    rods = binary_tree(1, 4, radius=0.006)
    depth = np.zeros(len(rods), dtype=int)
    for i in range(1, len(rods)):
        depth[i] = depth[rods.parent_index[i]] + 1
    order = np.argsort(depth, kind="stable")
    place = np.argsort(order)
    parent = rods.parent_index[order]
    columns = {name: getattr(rods, name)[order] for name in ("head", "frame", "length", "radius_base", "radius_tip")}
    shuffled = Rods(parent=np.where(parent < 0, -1, place[parent]), young=1e8, density=900.0, **columns)
    here, there = hall_chain(rods), hall_chain(shuffled)
    assert np.abs(there.tail - here.tail[order]).max() < 1e-9


def test_columns_of_the_rods():
    plain = beam(4, young=YOUNG)
    base = hall_chain(plain)
    half = 0.5**0.25
    same = [  # hollow rods, explicit stiffness, stiffness factor, explicit mass
        beam(4, young=YOUNG / (1 - half**4), density=923.0 / (1 - half**2), hollow=half),
        beam(4, young=1.0, stiffness=(4.0, 4.0 / 1.3, 4.0)),
        beam(4, young=YOUNG / 3.0, stiffness_factor=3.0),
        beam(4, young=YOUNG, density=1.0, mass=LINE / 4),
    ]
    for rods in same:
        assert np.abs(hall_chain(rods).tail - base.tail).max() < 1e-9
    pinned = hall_chain(beam(4, young=YOUNG, pinned=[1, 1, 0, 0]))
    assert np.abs(pinned.tail[1] - [0.5, 0.0, 0.0]).max() < 1e-12
    shorter = hall_chain(beam(2, young=YOUNG, length=0.5))
    assert np.abs(pinned.tail[3] - [0.5, 0.0, 0.0] - shorter.tail[1]).max() < 1e-9
    hung = beam(2, young=YOUNG, mass=[1.0, 0.5], com=[(0.0, 0.5, 0.0), (0.0, 0.5, 0.0)])  # at the tips: known loads
    forces = np.array([[0.0, 0.0, -9.81], [0.0, 0.0, -4.905]])
    loaded = hall_chain(beam(2, young=YOUNG), WEIGHTLESS, forces)
    assert np.abs(hall_chain(hung).tail - loaded.tail).max() < 1e-9


def test_a_rod_away_from_its_parents_tip_is_carried_along():
    rods = beam(2, young=YOUNG)
    away = rods.head.copy()
    away[1, 1] += 0.1
    moved = Rods(
        parent=rods.parent, head=away, frame=rods.frame, length=0.5, radius_base=RADIUS, radius_tip=RADIUS,
        young=YOUNG, density=923.0,
    )  # fmt: skip
    found = hall_chain(moved, element="3R corrected")
    assert found.converged
    gap = rotate(found.tip_frame[0] * [1, -1, -1, -1], found.head[1] - found.tail[0])
    assert np.abs(gap - rotate(ALONG_X * [1, -1, -1, -1], np.array([0.0, 0.1, 0.0]))).max() < 1e-12
    assert abs(found.tail[1, 1]) > 0.05


def test_bad_arguments_are_refused():
    rods = beam(3)
    for wrong in ({"element": "2R"}, {"form": "quick"}, {"step": "long"}):
        with pytest.raises(SolverError, match="unknown"):
            hall_chain(rods, **wrong)
    refused = (
        {"segments": 0}, {"increments": 0}, {"iterations": 0}, {"tolerance": 0.0}, {"gravity": (0, 0, np.nan)},
        {"force": np.zeros((2, 3))},
    )  # fmt: skip
    for wrong in refused:
        with pytest.raises(SolverError):
            hall_chain(rods, **wrong)
    with pytest.raises(SolverError, match="stiffness is zero") as error:
        hall_chain(beam(3, stiffness=[(1.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 1.0)]))
    assert error.value.rod == 1


@pytest.mark.parametrize("step", ["full", "cautious"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_absurd_loads_are_reported_or_refused(element, step):
    def under(size):
        force = at_tip(3, (0.0, 0.3 * size, -size))
        return hall_chain(beam(3, young=YOUNG), (0.0, 0.0, -size), force, element=element, step=step, iterations=50)

    for size in (1e3, 1e8):
        found = under(size)
        assert not found.converged
        assert np.isfinite(found.tail).all()
    if (element, step) != ("3R corrected", "cautious"):  # whose turns stay within the range of arithmetic
        with pytest.raises(SolverError, match="too large"):
            under(1e20)


def test_rods_out_of_range_are_named():
    with pytest.raises(SolverError, match="out of range") as error:
        hall_chain(beam(3, radius=[0.01, 1e-90, 0.01]))
    assert error.value.rod == 1
