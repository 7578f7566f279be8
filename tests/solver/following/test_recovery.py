# SPDX-License-Identifier: GPL-3.0-or-later
"""How what follows comes back after what disturbed it, against closed forms; what it gives at most."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver import OK, Sample, Settings, Simulation, discretize
from solver.joints.reference import all_together, weighed_inertia
from solver.math.rotations import exponential, logarithm
from tests.forms import IS_FULL
from tests.oracles.energies import energy_of, energy_of_a_yielding_spring
from tests.oracles.models import beam, binary_tree, random_bodies, random_joints, random_rods
from tests.oracles.rnea_crba import SpatialTree
from tests.oracles.runs.humanoid import humanoid

FPS = 240.0
ONE = np.array([[1.0, 0.0, 0.0, 0.0]])
FULL = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]


def rod(**columns) -> Simulation:
    """One rod on a joint, along x."""
    return Simulation(discretize(beam(1, **columns), "base", segments=1))


def bent(plant: Simulation, world: Sample, seconds: float, fps=FPS) -> np.ndarray:
    """(frames, n, 3) rad: joints' rotation vectors."""
    return np.array([logarithm((plant.advance(world, 1.0 / fps), plant.state.q)[1])
                     for _ in range(round(seconds * fps))])  # fmt: skip


@pytest.mark.parametrize("density", [1.0, 1000.0, 20000.0])
def test_a_rod_comes_back_as_a_critically_damped_oscillator_of_any_mass(density):
    plant, hertz, first = rod(density=density), 2.0, 0.3
    world = Sample(follow=[1.0], recovery=[hertz])
    plant.start(world, initial=[(first, 0.0, 0.0)])
    found = bent(plant, world, 1.0)[:, 0, 0]
    w, t = 2.0 * np.pi * hertz, np.arange(1, 241) / FPS
    expected = first * (1.0 + w * t) * np.exp(-w * t)
    assert np.abs(found - expected).max() < 2e-3 * first
    assert found.min() > -1e-6


@pytest.mark.parametrize("ratio", [0.1, 0.5, 3.0])
def test_the_damping_ratio_is_that_of_an_oscillator(ratio):
    plant, hertz, first = rod(), 1.5, 0.2
    world = Sample(follow=[1.0], recovery=[hertz], recovery_damping=[ratio])
    plant.start(world, initial=[(0.0, 0.0, first)])
    found = bent(plant, world, 1.5)[:, 0, 2]
    w, t = 2.0 * np.pi * hertz, np.arange(1, 361) / FPS
    root = np.sqrt(complex(ratio**2 - 1.0)) * w
    fast, slow = -ratio * w - root, -ratio * w + root
    expected = (first * (slow * np.exp(fast * t) - fast * np.exp(slow * t)) / (slow - fast)).real
    assert np.abs(found - expected).max() < 1e-2 * first


@pytest.mark.parametrize("fps", [24.0, 60.0] if IS_FULL else [24.0])
@pytest.mark.parametrize("make", [lambda: beam(3), lambda: beam(30), humanoid, lambda: binary_tree(3, 4)])
def test_after_a_push_all_bodies_come_back_without_a_swing_beyond(make, fps):
    """The tip that went farthest comes back without going beyond, and all are back after four periods."""
    rods = make()
    model = discretize(rods, "base", segments=1)
    plant, m = Simulation(model), model.rod_count
    calm = {"follow": np.ones(m), "recovery": np.full(m, 2.0)}
    force = np.zeros((m, 3))
    force[m - 1, 1] = 3.0 * 9.81 * float(model.bodies.mass.sum())
    plant.start(Sample(**calm))
    still = plant.rod_tails()
    plant.advance(Sample(**calm, force=force), 1.0 / fps)
    away = []
    for _ in range(round(2.0 * fps)):
        plant.advance(Sample(**calm), 1.0 / fps)
        away.append(plant.rod_tails() - still)
    away = np.array(away)
    size = np.linalg.norm(away, axis=2)
    frame, tip = np.unravel_index(size.argmax(), size.shape)
    along = away[frame:, tip] @ (away[frame, tip] / size[frame, tip])
    assert along.min() > -0.02 * size.max()
    assert size[-1].max() < 2e-3 * size.max()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 30, 100])
def test_all_joints_together_are_held_as_stiffly_as_each_alone(n):
    """The largest eigenvalue of the inertia matrix over what joints are held by is near 1, so that the slowest motion
    has the stiffness that was asked for, and none is less damped."""
    rng = np.random.default_rng(n)
    trees = [discretize(rods, "base", segments=1).bodies for rods in (beam(n), binary_tree(3, 4), humanoid())]
    for bodies in [*trees, random_bodies(rng, n)]:
        count = len(bodies.parent)
        outward, inward = np.zeros(count), np.zeros(count)
        for i in range(1, count):
            if bodies.parent[i] >= 0:
                inward[i] = 1.0 + inward[bodies.parent[i]]
        for i in range(count - 1, 0, -1):
            if bodies.parent[i] >= 0:
                outward[bodies.parent[i]] = max(outward[bodies.parent[i]], 1.0 + outward[i])
        for q in (np.tile(ONE, (count, 1)), random_joints(rng, count).q):
            inertia = SpatialTree(bodies, q).mass_matrix()
            held = np.zeros_like(inertia)
            for i in range(count):
                own = slice(3 * i, 3 * i + 3)
                held[own, own] = all_together(outward[i], inward[i]) * inertia[own, own]
            most = np.linalg.eigvals(np.linalg.solve(held, inertia)).real.max()
            assert 0.85 < most < 1.15


@pytest.mark.parametrize("seed", range(3))
def test_without_damping_it_never_has_more_energy_than_at_first(seed):
    """Bent far away, without weight: the sum of motion and of what leads back."""
    rng = np.random.default_rng(seed)
    plant = Simulation(discretize(random_rods(rng, 8), "base", segments=1), Settings(max_step=1.0 / 960.0))
    bodies, n = plant.model.bodies, plant.model.body_count
    hertz = rng.uniform(0.5, 2.0, n)
    world = Sample(gravity=(0.0, 0.0, 0.0), follow=np.ones(n), recovery=hertz, recovery_damping=np.zeros(n))
    plant.start(world, initial=0.7 * rng.normal(size=(n, 3)))
    carried = weighed_inertia(bodies, np.tile(ONE, (n, 1)), np.ones((n, 4)))[:, FULL]
    sums = []
    for _ in range(96):
        plant.advance(world, 1.0 / 48.0)
        phi = logarithm(plant.state.q)
        held = 0.5 * ((2.0 * np.pi * hertz) ** 2 * np.einsum("ni,nij,nj->n", phi, carried, phi)).sum()
        sums.append(held + energy_of(plant, (0.0, 0.0, 0.0)).motion)
    assert max(sums) < 1.001 * sums[0]


def _giving_way(seed: int) -> tuple[Simulation, dict, np.ndarray, float]:
    """A random plant of eight rods with largest moments from next to none on, how it follows, how it is bent, by more
    than half a turn in part, and what it holds so (J)."""
    rng = np.random.default_rng(seed)
    plant = Simulation(discretize(random_rods(rng, 8), "base", segments=1))
    n, bodies = plant.model.body_count, plant.model.bodies
    follows = {
        "follow": np.ones(n), "recovery": np.full(n, 3.0), "recovery_damping": np.zeros(n),
        "largest_moment": 10.0 ** rng.uniform(-6.0, 0.0, n),
    }  # fmt: skip
    bent = rng.normal(size=(n, 3))
    carried = weighed_inertia(bodies, np.tile(ONE, (n, 1)), np.ones((n, 4)))[:, FULL] * (6.0 * np.pi) ** 2
    return plant, follows, bent, _held_in(carried, logarithm(exponential(bent)), follows["largest_moment"])


def _held_in(stiffness: np.ndarray, turns: np.ndarray, most: np.ndarray) -> float:
    """J in springs that yield."""
    return sum(map(energy_of_a_yielding_spring, stiffness, turns, most))


@pytest.mark.parametrize("seed", range(6))
def test_what_gives_way_never_moves_with_more_energy_than_it_had(seed):
    plant, follows, bent, held = _giving_way(seed)
    world = Sample(gravity=(0.0, 0.0, 0.0), **follows)
    plant.start(world, initial=bent)
    moving = []
    for _ in range(96):
        plant.advance(world, 1.0 / 24.0)
        moving.append(energy_of(plant, (0.0, 0.0, 0.0)).motion)
    assert max(moving) < held
    assert moving[-1] < max(moving)


@pytest.mark.parametrize("times", [0.3, 3.0])
def test_what_gave_way_comes_back_as_if_it_were_pushed_by_no_more_than_its_largest_moment(times):
    """One rod far away, with a limit of so many times what its own acceleration of the frequency asks for a radian."""
    plant, first, w = rod(), 1.2, 4.0 * np.pi
    inertia = float(plant.model.bodies.inertia[0, 0])
    most = times * inertia * w * w
    world = Sample(gravity=(0.0, 0.0, 0.0), follow=[1.0], recovery=[2.0], largest_moment=[most])
    plant.start(world, initial=[(0.0, 0.0, first)])
    found = bent(plant, world, 2.0)[:, 0, 2]

    def motion(_, state):
        return state[1], -np.clip(w * w * state[0] + 2.0 * w * state[1], -most / inertia, most / inertia)

    times_of = np.arange(1, 481) / FPS
    expected = solve_ivp(motion, (0.0, 2.0), (first, 0.0), "RK45", times_of, rtol=1e-9, atol=1e-9, max_step=1e-3).y[0]
    assert np.abs(found - expected).max() < 5e-3 * first


@pytest.mark.parametrize("seed", range(4))
def test_what_gives_way_under_its_weight_adds_no_more_than_all_could_fall_by(seed):
    plant, follows, bent, held = _giving_way(seed)
    plant.start(Sample(**follows), initial=bent)
    moving = []
    for _ in range(240):
        plant.advance(Sample(**follows), 1.0 / 24.0)
        moving.append(energy_of(plant).motion)
    assert max(moving) < held + _most_fall(plant)


@pytest.mark.parametrize("moves", [0.0, 1e-4])
@pytest.mark.parametrize("speed", [0.0, 3.0])
def test_what_bears_half_its_weight_falls_and_swings_out(moves, speed):
    """On a base that goes on evenly, with a pose that hardly moves: what bears weight has no energy to be bounded."""
    plant = Simulation(discretize(beam(4), "base", segments=1))
    bodies = plant.model.bodies
    lever = 0.5 * float(np.linalg.norm(bodies.offset[1])) * np.arange(4, 0, -1)
    borne = 0.5 * 9.81 * lever * np.cumsum(bodies.mass[::-1])[::-1]
    moving, swing = [], np.tile((0.0, 0.0, moves), (4, 1))

    def world(time: float) -> Sample:
        return Sample(
            (speed * time, 0.0, 0.0), pose=exponential(np.sin(6.0 * time) * swing), follow=np.ones(4),
            recovery_damping=np.zeros(4), largest_moment=borne,
        )  # fmt: skip

    plant.start(world(0.0))
    for frame in range(1, 97):
        plant.advance(world(frame / 24.0), 1.0 / 24.0)
        moving.append(energy_of(plant).motion)  # as it is seen from the base
    assert max(moving[:48]) > 0.05 * _most_fall(plant)
    assert max(moving) < _most_fall(plant)


def _most_fall(plant: Simulation) -> float:
    """J by which all would fall from upright to where it hangs."""
    bodies, reach = plant.model.bodies, np.zeros(plant.model.body_count)
    for i, k in enumerate(bodies.parent.tolist()):
        reach[i] = np.linalg.norm(bodies.offset[i]) + (reach[k] if k >= 0 else 0.0)
    return 2.0 * 9.81 * float(bodies.mass @ (reach + np.linalg.norm(bodies.com, axis=1)))


def test_what_is_let_go_within_a_frame_falls():
    """Follow goes to nothing within a frame, with a limit or none."""
    falls = []
    for limit in (np.inf, 30.0):
        plant = Simulation(discretize(beam(3, young=1e5), "base", segments=1))
        follows = {"recovery_damping": np.ones(3), "largest_moment": np.full(3, limit)}
        plant.start(Sample(follow=np.ones(3), **follows))
        for share in (1.0, 1.0, 0.0, 0.0, 0.0, 0.0):
            assert plant.advance(Sample(follow=np.full(3, share), **follows), 1.0 / 24.0).status == OK
        falls.append(plant.rod_tails()[-1, 2])
    assert falls[0] < -1e-3
    assert falls[1] < -1e-3


def test_a_joint_gives_no_more_than_its_largest_moment():
    """A torque that is more turns the rod away as if the largest moment pushed back, against nothing else."""
    plant, most, torque = rod(), 0.5, 2.0
    weightless = (0.0, 0.0, 0.0)
    inertia = float(plant.model.bodies.inertia[0, 0])
    world = Sample(
        gravity=weightless, follow=[1.0], recovery=[20.0], largest_moment=[most], torque=[(0.0, 0.0, torque)]
    )
    plant.start(Sample(gravity=weightless, follow=[1.0], recovery=[20.0], largest_moment=[most]))
    plant.advance(world, 1.0 / FPS)
    before = plant.placed().omega[0, 2]
    for _ in range(10):
        plant.advance(world, 1.0 / FPS)
    gained = (plant.placed().omega[0, 2] - before) * FPS / 10.0
    assert gained == pytest.approx((torque - most) / inertia, rel=5e-3)


def test_what_bears_less_than_its_weight_falls_and_what_bears_more_stays():
    for most, falls in ((0.5, True), (2.0, False)):
        plant = rod()
        bodies = plant.model.bodies
        weight = 9.81 * float(bodies.mass[0] * np.linalg.norm(bodies.com[0]))
        world = Sample(follow=[1.0], largest_moment=[most * weight])
        plant.start(world)
        away = np.abs(bent(plant, world, 0.5, 24.0)).max()
        assert (away > 0.3) == falls
        assert falls or away < 1e-9


def test_a_joint_whose_largest_moment_is_none_hangs_as_one_with_next_to_none():
    ends = []
    for most in (0.0, 1e-12):
        plant = Simulation(discretize(beam(3), "base", segments=1))
        world = Sample(follow=np.ones(3), largest_moment=[np.inf, most, np.inf])
        plant.start(world)
        for _ in range(6):
            assert plant.advance(world, 1.0 / 24.0).status == OK
        ends.append(plant.rod_tails()[-1])
    assert ends[0][2] < -0.1
    assert np.abs(ends[1] - ends[0]).max() < 1e-6


def test_gentler_steps_give_the_same_motion():
    """What disturbs is answered the same however long steps are."""
    ends = []
    for fps in (24.0, 96.0):
        plant = Simulation(discretize(beam(6), "base", segments=1))
        calm = {"follow": np.ones(6), "recovery": np.full(6, 3.0)}
        plant.start(Sample(**calm))
        push = Sample(**calm, wind=(20.0, 5.0, 0.0))
        for _ in range(round(fps / 4)):
            plant.advance(push, 1.0 / fps)
        ends.append(logarithm(plant.state.q))
    assert np.abs(ends[1] - ends[0]).max() < 0.03 * np.abs(ends[1]).max()
