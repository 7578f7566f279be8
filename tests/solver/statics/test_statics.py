# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame before the first frame: settled, or holding the drawn shape."""

import numpy as np
import pytest

from solver import Sample, Settings, Simulation, SolverError, discretize
from solver.contact.touch import touching_nothing
from solver.math.rotations import exponential, multiply, rotate
from solver.model.model import Panels
from solver.statics.equilibrium import find_equilibrium
from solver.statics.held_shape import hold_shape
from solver.statics.tangent import StillWorld
from tests.oracles.analytic import Motion, spring_moments
from tests.oracles.models import (
    ALONG_Z,
    GivenLoads,
    beam,
    binary_tree,
    random_quaternions,
    random_rods,
    run,
    still_base,
)

LAYOUTS = ("base", "double_root", "mid")
PULL = {
    "pull_rod": [5], "pull_along": [1.0], "pull_target": [[0.1, 0.1, 0.2]], "pull_stiffness": [5.0],
    "pull_damping": [1.0],
}  # fmt: skip


def plants():
    rng = np.random.default_rng(4)
    return {
        "tree": binary_tree(3, 4, radius=0.008, damping_time=0.02),
        "random": random_rods(rng, 25, damping_time=0.02),
        "beam": beam(30, radius=0.004, young=1e9, damping_time=0.02),
    }


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", plants())
def test_settled_plants_are_in_balance_and_stay(name, layout):
    plant = Simulation(discretize(plants()[name], layout))
    sample = Sample(**PULL)
    found = plant.start(sample, "settled")
    assert found.residual < 1e-8
    rest = plant.rod_tails()
    tails = run(plant, 100 / 24, sample=sample)
    assert np.abs(tails - rest).max() < 1e-7


@pytest.mark.parametrize("name", plants())
def test_the_balance_is_newtons(name):
    """Spring moments equal the weight moments found by plain sums over the bodies."""
    model = discretize(plants()[name])
    plant = Simulation(model)
    plant.start(Sample(), "settled")
    q, nothing = plant.state.q, np.zeros((model.body_count, 3))
    needed = Motion(model.bodies, q, nothing, nothing, still_base()).joint_moments(np.array([0.0, 0.0, -9.81]))
    supplied = spring_moments(model.bodies.stiffness, q)
    assert np.abs(needed - supplied).max() < 1e-6 * np.abs(needed).max()


@pytest.mark.parametrize("beta", [0.0, 0.02, 0.2])
@pytest.mark.parametrize("tree", [(5, 5), (8, 6)])
def test_a_collapsing_tree_settles(tree, beta):
    """The tree that cannot carry itself: settling ends in balance, and 100 frames do not leave it."""
    plant = Simulation(discretize(binary_tree(*tree, damping_time=beta)))
    plant.start(Sample())
    height = plant.rod_tails()[:, 2].max()
    found = plant.start(Sample(), "settled")
    assert found.residual < 1e-8
    rest = plant.rod_tails()
    assert np.abs(run(plant, 100 / 24) - rest).max() < 1e-6 * height


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", plants())
def test_keeping_the_drawn_shape(name, layout):
    rods = plants()[name]
    plant = Simulation(discretize(rods, layout))
    plant.start(Sample())
    drawn, orientations = plant.rod_tails(), plant.rod_orientations()
    plant.start(Sample(**PULL), "keep_shape")
    assert np.abs(plant.rod_tails() - drawn).max() < 1e-12
    assert np.abs(plant.rod_orientations() - orientations).max() < 1e-12
    tails = run(plant, 100 / 24, sample=Sample(**PULL))
    assert np.abs(tails - drawn).max() < 1e-8
    assert np.abs(plant.rod_orientations() - orientations).max() < 1e-7


def test_springs_kept_in_shape_still_bend_about_it():
    """Without the weight the kept plant rises; with it, it comes back."""
    plant = Simulation(discretize(binary_tree(3, 4, radius=0.008, damping_time=0.02)))
    plant.start(Sample(), "keep_shape")
    drawn = plant.rod_tails()
    run(plant, 4.0, sample=Sample(gravity=(0.0, 0.0, 0.0)))
    assert plant.rod_tails()[:, 2].max() > drawn[:, 2].max() + 1e-4
    run(plant, 8.0)
    assert np.abs(plant.rod_tails() - drawn).max() < 1e-5


def test_starting_again_forgets_the_kept_shape():
    plant, fresh = (Simulation(discretize(binary_tree(3, 3, radius=0.006))) for _ in range(2))
    plant.start(Sample(), "keep_shape")
    plant.start(Sample(), "settled")
    fresh.start(Sample(), "settled")
    assert np.array_equal(plant.rod_tails(), fresh.rod_tails())


def test_a_rod_too_soft_to_keep_its_shape_is_named():
    rods = beam(6, young=[8e9, 8e9, 8e9, 1e5, 8e9, 8e9], pinned=[1, 0, 0, 0, 0, 0])
    plant = Simulation(discretize(rods))
    with pytest.raises(SolverError, match="too soft") as error:
        plant.start(Sample(), "keep_shape")
    assert error.value.rod in (3, 4)  # the joints next to the soft rod
    assert "rod" not in error.value.message
    with pytest.raises(SolverError, match="start the simulation"):
        plant.advance(Sample(), 1 / 24)
    plant.start(Sample())
    plant.advance(Sample(), 1 / 24)


def test_few_iterations_are_reported_as_such():
    plant = Simulation(discretize(binary_tree(5, 5)), Settings(settle_iterations=3))
    found = plant.start(Sample(), "settled")
    assert 3 <= found.iterations <= 4
    assert found.residual > 1e-8
    assert np.isfinite(plant.rod_tails()).all()


# Section 1 of the physics notes: trees that carry themselves, and trees that do not.
SHAPES = {45: (3, 4), 155: (5, 5), 504: (8, 6), 1524: (12, 7)}


def standing(count):
    """A tree with E I = W H^2 / 4 at its foot (W weight, H height)."""
    young, radius = (1e8 if count <= 155 else 5e9), 0.004
    for _ in range(60):
        model = discretize(binary_tree(*SHAPES[count], radius=radius, young=young))
        plant = Simulation(model)
        plant.start(Sample())
        height, weight = plant.rod_tails()[:, 2].max(), 9.81 * model.bodies.mass.sum()
        needed = 0.25 * weight * height**2 / (np.pi * young / 4)
        if abs(needed / radius**4 - 1.0) < 1e-3:
            break
        radius *= (needed / radius**4) ** 0.5
    return binary_tree(*SHAPES[count], radius=radius, young=young, damping_time=0.02)


@pytest.mark.parametrize("count", SHAPES)
@pytest.mark.parametrize("kind", ["standing", "collapsing"])
def test_trees_settle_and_stay(kind, count):
    """Residual below 1e-8, and 100 frames with constant loads move no node by 1e-6 of the height."""
    rods = standing(count) if kind == "standing" else binary_tree(*SHAPES[count], damping_time=0.02)
    plant = Simulation(discretize(rods))
    plant.start(Sample())
    height = plant.rod_tails()[:, 2].max()
    found = plant.start(Sample(), "settled")
    assert found.residual < 1e-8
    assert found.stable
    assert found.fell == (count == 1524 or (kind == "collapsing" and count > 45))
    rest = plant.rod_tails()
    for _ in range(100):
        plant.advance(Sample(), 1 / 24)
    assert np.abs(plant.rod_tails() - rest).max() < 1e-6 * height


def column(share, **columns):
    """An upright rod of a share of the height at which it buckles under its own weight (Greenhill 1881)."""
    young, radius, density = 1e9, 0.005, 900.0
    height = (7.8373 * young * radius**2 / 4 / (density * 9.81)) ** (1 / 3)
    return beam(
        40, length=share * height, radius=radius, young=young, density=density, frame=ALONG_Z, **columns
    )  # fmt: skip


@pytest.mark.parametrize("share", [0.5, 0.99, 0.998])
def test_a_column_below_its_buckling_height_stands(share):
    plant = Simulation(discretize(column(share)))
    found = plant.start(Sample(), "settled")
    assert (found.stable, found.fell) == (True, False)
    assert np.abs(plant.rod_tails()[:, :2]).max() < 1e-12


@pytest.mark.parametrize("share", [1.002, 1.01, 1.1, 2.0])
def test_a_column_above_its_buckling_height_falls(share):
    rods = column(share, damping_time=0.02)
    plant, again = Simulation(discretize(rods)), Simulation(discretize(rods))
    found = plant.start(Sample(), "settled")
    assert found.residual < 1e-8
    assert (found.stable, found.fell) == (True, True)
    tip = plant.rod_tails()[-1]
    assert np.hypot(tip[0], tip[1]) > 0.1
    again.start(Sample(), "settled")
    assert np.array_equal(tip, again.rod_tails()[-1])
    assert np.abs(run(plant, 100 / 24)[-1, -1] - tip).max() < 1e-6


@pytest.mark.parametrize("share", [0.998, 1.002])
def test_a_kept_shape_that_would_fall_is_told(share):
    found = Simulation(discretize(column(share))).start(Sample(), "keep_shape")
    assert found.residual < 1e-12
    assert found.stable == (share < 1.0)


@pytest.mark.parametrize("n", [1, 5, 20])
def test_a_chain_without_springs_hangs_down(n):
    rods = beam(n, stiffness=np.zeros((n, 3)))
    plant = Simulation(discretize(rods, "base"))
    found = plant.start(Sample(), "settled")
    assert found.residual < 1e-8
    assert found.stable
    assert plant.rod_tails()[-1] == pytest.approx([0.0, 0.0, -1.0], abs=1e-6)


def test_tilting_base_and_gravity_together_changes_nothing_but_the_view():
    rng = np.random.default_rng(3)
    model, turn = discretize(binary_tree(3, 4, radius=0.006)), random_quaternions(rng, 1)[0]
    one, other = Simulation(model), Simulation(model)
    one.start(Sample(), "settled")
    gravity = rotate(turn, np.array([0.0, 0.0, -9.81]))
    other.start(Sample(base_orientation=turn, base_position=(1.0, 2.0, 3.0), gravity=gravity), "settled")
    seen = rotate(turn, one.rod_tails()) + np.array([1.0, 2.0, 3.0])
    assert np.abs(other.rod_tails() - seen).max() < 1e-8


def hanging_rod(air, along, across):
    """A rod without springs hanging in steady wind, its air drag as one panel at its middle."""
    bodies = discretize(beam(1, length=0.5, radius=0.002, stiffness=np.zeros((1, 3)), frame=ALONG_Z), "base").bodies
    middle, axis = np.array([[0.0, 0.25, 0.0]]), np.array([[0.0, 1.0, 0.0]])
    sizes = np.array([[along], [across], [0.0], [0.0]])
    panels = Panels(np.array([0, 1]), middle, axis, *sizes, 0.0 * axis, np.array([0]), *np.zeros((4, 1)))
    return bodies, in_air(panels, np.array([[air, 0.0, 0.0]]), 1)


def in_air(panels, air, n):
    loads = GivenLoads(n, 0)
    loads.gravity[:], loads.stiffness_scale[:] = (0.0, 0.0, -9.81), 1.0
    loads.air, loads.air_density[:] = air, 1.2
    return StillWorld(loads.as_solver(), panels, still_base(), touching_nothing())


def unturned(bodies):
    return np.tile([1.0, 0.0, 0.0, 0.0], (len(bodies.parent), 1))


@pytest.mark.parametrize("air", [1.0, 10.0, 40.0])
def test_a_rod_in_steady_wind_leans_as_in_closed_form(air):
    """sin(a) / cos(a)^2 = drag / weight, a from the vertical, when only the flow across the rod pushes it."""
    bodies, world = hanging_rod(air, 0.0, 1e-3)
    q = multiply(unturned(bodies), exponential(np.array([[0.3, 0.0, 0.2]])))
    found = find_equilibrium(bodies, q, world, 1e-10, 1000)
    assert found.residual < 1e-10
    assert found.stable
    assert found.iterations < 60
    axis = rotate(multiply(bodies.rest, q), np.array([0.0, 1.0, 0.0]))[0]
    ratio = 0.5 * 1.2 * 1e-3 * air**2 / (9.81 * bodies.mass[0])
    sine = (np.sqrt(1 + 4 * ratio**2) - 1) / (2 * ratio)
    assert axis == pytest.approx([sine, 0.0, -np.sqrt(1 - sine**2)], abs=1e-7)


def windy(bodies, rng):
    n = len(bodies.parent)
    axis = rng.normal(size=(n, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    sizes = (*rng.uniform(1e-4, 1e-3, (2, n)), *np.zeros((2, n)))
    panels = Panels(np.arange(n + 1), bodies.com, axis, *sizes, 0.0 * axis, np.arange(n), *np.zeros((4, n)))
    return in_air(panels, np.tile([8.0, 3.0, 0.0], (n, 1)), n)


def test_plants_settle_and_keep_their_shape_in_wind():
    rng = np.random.default_rng(6)
    stay = []
    for _ in range(10):
        bodies = discretize(random_rods(rng, 20), "base").bodies
        world, q = windy(bodies, rng), unturned(bodies)
        found = find_equilibrium(bodies, q, world, 1e-10, 2000)
        assert found.residual < 1e-10
        drawn = multiply(bodies.rest, unturned(bodies))
        kept, q = bodies._replace(rest=bodies.rest.copy()), unturned(bodies)
        soft, held = hold_shape(kept, q, world)
        assert soft == -1
        assert held.residual < 1e-11
        same = multiply(kept.rest, q)
        assert np.abs(np.abs((same * drawn).sum(axis=1)) - 1.0).max() < 1e-14
        stay.append(find_equilibrium(kept, q, world, 1e-10, 2000).turn < 1e-8)
        assert stay[-1] == held.stable
    assert any(stay)


def test_newtons_method_is_quadratic():
    """Each of the last steps about squares the residual, so a tight tolerance costs no more than one or two."""
    model = discretize(beam(40, radius=0.004, young=2e9))
    counts = [
        Simulation(model, Settings(settle_tolerance=tolerance)).start(Sample(), "settled")
        for tolerance in (1e-3, 1e-12)
    ]
    assert counts[1].residual < 1e-12
    assert counts[1].iterations <= counts[0].iterations + 2


def random_world(seed, pulled):
    """Plants of any size, density and stiffness, in any gravity, on a base in any position."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    rods = random_rods(rng, n, young=10.0 ** rng.uniform(0, 13), density=10.0 ** rng.uniform(-1, 5))
    thickness = 10.0 ** rng.uniform(-2, 1)
    rods.radius_base *= thickness
    rods.radius_tip *= thickness
    pull = {
        "pull_rod": [n - 1], "pull_along": [rng.random()], "pull_target": [rng.normal(size=3)],
        "pull_stiffness": [10.0 ** rng.uniform(-3, 3)], "pull_damping": [0.0],
    }  # fmt: skip
    sample = Sample(
        gravity=(0.0, 0.0, rng.uniform(-100, 100)), stiffness_scale=10.0 ** rng.uniform(-6, 3),
        base_orientation=rng.normal(size=4), **(pull if pulled else {}),
    )  # fmt: skip
    return Simulation(discretize(rods), Settings(settle_iterations=20_000)), sample


def test_random_plants_settle():
    """The first 200 of 10 000; `python -m tests.solver.statics.test_statics` tries all."""
    for seed in range(200):
        plant, sample = random_world(seed, False)
        found = plant.start(sample, "settled")
        assert found.residual < 1e-8, seed
        assert found.stable, seed


def test_random_plants_settle_under_strong_handles():
    """Some are wound up by handles millions of times stiffer than their joints: what does not settle must say so."""
    found = [plant.start(sample, "settled") for plant, sample in (random_world(seed, True) for seed in range(200))]
    assert sum(one.residual < 1e-8 and one.stable for one in found) >= 195
    for one in found:
        assert one.residual < 1e-7 or not one.stable


if __name__ == "__main__":
    for pulled in (False, True):
        found = [plant.start(sample, "settled") for plant, sample in (random_world(k, pulled) for k in range(10_000))]
        worst = [k for k, one in enumerate(found) if not (one.residual < 1e-8 and one.stable)]
        print(f"pulled: {pulled}, not settled: {len(worst)} of {len(found)} {worst[:20]}")


@pytest.mark.parametrize("stiffness", [1e3, 1e6, 1e8])
def test_settled_under_a_handle_of_any_strength_it_stays(stiffness):
    plant = Simulation(discretize(binary_tree(3, 4, radius=0.005)))
    handle = Sample(pull_rod=[40], pull_along=[1.0], pull_target=[(0.3, 0.2, 0.4)], pull_stiffness=[stiffness],
                    pull_damping=[0.0])  # fmt: skip
    found = plant.start(handle, "settled")
    assert found.stable
    rest = plant.rod_tails()
    moved = np.abs(run(plant, 100 / 24, sample=handle) - rest).max()
    print(f"{stiffness:g} N/m: residual {found.residual:.1e}, moved {moved:.1e} m")
    assert moved < 1e-6 * rest[:, 2].max()


def test_what_is_not_in_balance_is_not_called_stable():
    """No stem of this kind can carry such a twist."""
    rods = beam(6, length=0.3, frame=ALONG_Z, radius=0.003, young=1e6)
    found = Simulation(discretize(rods)).start(Sample(twist=[0.0] * 5 + [0.01]), "settled")
    assert found.residual > 0.1
    assert not found.stable


@pytest.mark.parametrize("stiffness", [1e6, 1e9, 1e12, 1e15])
@pytest.mark.parametrize("pulled", [5, 8])
def test_a_handle_stiffer_than_anything_leaves_no_branch_out_of_balance(pulled, stiffness):
    rods = binary_tree(3, 2, radius=0.003, young=4e7)
    pull = {"pull_rod": [pulled], "pull_along": [1.0], "pull_target": [(0.08, 0.15, 0.12)], "pull_damping": [0.0]}
    softly = Simulation(discretize(rods))
    softly.start(Sample(**pull, pull_stiffness=[1e3]), "settled")
    sample = Sample(**pull, pull_stiffness=[stiffness])
    plant = Simulation(discretize(rods))
    found = plant.start(sample, "settled")
    assert found.balanced
    assert found.stable
    assert found.iterations < 400
    assert np.abs(plant.rod_tails() - softly.rod_tails()).max() < 2e-3  # a handle of 1 kN/m gives way by as much
    held = plant.rod_tails()
    assert np.abs(held[pulled] - (0.08, 0.15, 0.12)).max() < 1e-6
    assert np.abs(run(plant, 6 / 24, sample=sample) - held).max() < 1e-7


def test_a_stiff_handle_does_not_hide_another_branch():
    """A joint off the handle's path that is turned out of balance by a microradian is told of."""
    model = discretize(binary_tree(3, 2, radius=0.003, young=4e7))
    sample = Sample(
        pull_rod=[8], pull_along=[1.0], pull_target=[(0.1, 0.3, 0.2)], pull_stiffness=[1e12], pull_damping=[0.0]
    )
    plant = Simulation(model)
    assert plant.start(sample, "settled").balanced
    bodies, q, world = plant.at_rest()
    q[model.first_joint[4]] = multiply(q[model.first_joint[4]], exponential(np.array([1e-6, 0.0, 0.0])))
    found = find_equilibrium(bodies, q, world, 1e-9, 0)
    assert not found.balanced
    assert model.body_rod[found.rod] == 4
