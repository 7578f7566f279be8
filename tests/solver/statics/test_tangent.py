# SPDX-License-Identifier: GPL-3.0-or-later
"""The O(n) tangent against finite differences of Newton's moments, and its mass matrix against unit accelerations."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.contact.touch import touching_nothing
from solver.math.rotations import exponential, multiply, rotate
from solver.model.model import Bodies, Panels
from solver.statics.tangent import StillWorld, balance, factorise, mass_product, new_tangent, solve
from tests.oracles.analytic import Motion
from tests.oracles.energies import beyond_limit
from tests.oracles.models import GivenLoads, random_base, random_bodies, random_loads

N = 9
LOADS = {"dead": (), "pulls": ("pulls",), "torques": ("torques",), "wind": ("wind",), "limits": ("limits",),
         "all": ("pulls", "torques", "wind", "limits")}  # fmt: skip


class Plant(NamedTuple):
    bodies: Bodies
    q: np.ndarray
    world: StillWorld
    loads: GivenLoads


def plant(seed: int, *which: str) -> Plant:
    rng = np.random.default_rng(seed)
    limits = {"bend_limit": np.full(N, np.inf), "twist_limit": np.full(N, np.inf), "limit_stiffness": np.zeros(N)}
    if "limits" in which:
        limits = {"bend_limit": np.full(N, 0.6), "twist_limit": np.full(N, 0.3), "limit_stiffness": rng.random(N) * 30}
    bodies = random_bodies(rng, N)._replace(**limits)
    loads = random_loads(rng, N, 3 if "pulls" in which else 0)
    if "torques" not in which:
        loads.torque[:] = 0.0
        loads.twist[:] = 0.0
    p = 2 * N if "wind" in which else 0
    axis = rng.normal(size=(p, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    start = np.linspace(0, p, N + 1).astype(np.int64)
    chord = np.cross(axis, rng.normal(size=(p, 3)))
    lift = np.where(np.arange(p) % 2 == 0, rng.random(p), 0.0)
    rod = np.zeros(p, dtype=np.int64)
    along, place = rng.random(p), rng.normal(size=(p, 3))
    cup = along * np.where(np.arange(p) % 3 == 0, rng.uniform(-1.0, 1.0, p), 0.0)
    panels = Panels(
        start, place, axis, along, rng.random(p), lift, 0.3 * lift, chord, rod, cup, rng.random(p), rng.random(p),
        np.where(np.arange(p) % 4 < 2, 0.05, 0.0),
    )  # fmt: skip
    loads.air, loads.air_density[:] = 3.0 * rng.normal(size=(p, 3)), 1.2
    world = StillWorld(loads.as_solver(), panels, random_base(rng), touching_nothing())
    return Plant(bodies, exponential(rng.normal(size=(N, 3)) * 0.8), world, loads)


def spring_energies(bodies: Bodies, q: np.ndarray, scale: float) -> np.ndarray:
    """(n,) phi K phi / 2 and what limits add to it."""
    phi = Rotation.from_quat(q[:, (1, 2, 3, 0)]).as_rotvec()
    over = beyond_limit(np.hypot(phi[:, 0], phi[:, 2]) - bodies.bend_limit)
    over += beyond_limit(np.abs(phi[:, 1]) - bodies.twist_limit)
    return 0.5 * (scale * bodies.stiffness * phi**2).sum(1) + bodies.limit_stiffness * over


def newtons_gradient(one: Plant, q: np.ndarray, step=1e-5) -> np.ndarray:
    """(n, 3) unbalanced moments in the bodies' frames, by plain sums and energy differences."""
    bodies, loads, nothing = one.bodies, one.loads, np.zeros((N, 3))
    base = one.world.base.copy()
    base[2:] = 0.0
    still = Motion(bodies, q, nothing, nothing, base)
    force = loads.force.copy()
    torque = loads.torque + loads.twist[:, None] * still.R[:, :, 1]

    def act(i, at, push):
        force[i] += push
        torque[i] += np.cross(still.R[i] @ (at - bodies.com[i]), push)

    for j, i in enumerate(loads.pull_body):
        point = still.p[i] + still.R[i] @ loads.pull_point[j]
        act(i, loads.pull_point[j], loads.pull_stiffness[j] * (loads.pull_target[j] - point))
    panels = one.world.panels
    for i in range(N):
        for p in range(panels.start[i], panels.start[i + 1]):
            axis, air = still.R[i] @ panels.axis[p], loads.air[p]
            along = (air @ axis) * axis
            across = air - along
            faces = 1.0 / np.sqrt(1.0 + loads.air_density[0] * panels.rolls[p] * (air @ air))
            size = faces * (panels.along[p] - np.sign(air @ axis) * panels.cup[p])
            chord = faces * panels.chord[p]
            act(i, panels.center[p], 0.5 * loads.air_density[0] * panels.across[p] * np.linalg.norm(across) * across)
            # 3/4 cos(a) / (4 + pi sin(a)) of the chord off the middle
            flow, meets = np.linalg.norm(loads.air[p]), np.linalg.norm(along)
            lever = 0.75 * (air @ (still.R[i] @ chord)) / np.linalg.norm(chord) / (4.0 * flow + np.pi * meets)
            pressed = panels.center[p] - panels.shift[p] * lever * chord
            act(i, pressed, 0.5 * loads.air_density[0] * size * meets * along)
            if panels.plate[p] > 0.0:
                speed = np.linalg.norm(across)
                share = across @ (still.R[i] @ chord) / (np.linalg.norm(chord) * speed)
                plate = share**2 * panels.plate[p] + (1.0 - share**2) * panels.plate_along[p]
                plate *= speed**2 / (speed**2 + (along @ along) / 0.4**2)
                lifts = 0.5 * loads.air_density[0] * faces * plate * speed * along
                act(i, panels.center[p] - 0.25 * share * chord, lifts)
    gradient = still.joint_moments(loads.gravity, force, torque)
    for k in range(3):
        turn = np.zeros((N, 3))
        turn[:, k] = step
        up, down = (
            spring_energies(bodies, multiply(q, exponential(s * turn)), loads.stiffness_scale[0]) for s in (1, -1)
        )
        gradient[:, k] += (up - down) / (2 * step)
    return gradient


def frames(one: Plant) -> np.ndarray:
    work = new_tangent(N)
    balance(one.bodies, one.q, one.world, work, False)
    return work.rotation.reshape(N, 3, 3).copy()


def product(one: Plant, how) -> np.ndarray:
    """(3n, 3n) what how(turns, result) does to unit turns of the joints in the bodies' frames."""
    R, columns = frames(one), np.zeros((3 * N, 3 * N))
    for c in range(3 * N):
        unit, result = np.zeros((N, 3)), np.zeros((N, 3))
        unit.flat[c] = 1.0
        how(np.einsum("nij,nj->ni", R, unit), result)
        columns[:, c] = np.einsum("nji,nj->ni", R, result).ravel()
    return columns


@pytest.mark.parametrize("which", LOADS)
def test_gradient_is_newtons(which):
    one, work = plant(1, *LOADS[which]), new_tangent(N)
    balance(one.bodies, one.q, one.world, work, False)
    ours = np.einsum("nji,nj->ni", work.rotation.reshape(N, 3, 3), work.gradient)
    expected = newtons_gradient(one, one.q)
    assert np.abs(ours - expected).max() < 1e-7 * np.abs(expected).max()


@pytest.mark.parametrize("shift", [0.0, 3.0])
@pytest.mark.parametrize("which", LOADS)
def test_solve_inverts_the_differences_of_the_gradient(which, shift):
    one, work = plant(2, *LOADS[which]), new_tangent(N)

    def gradient(q):
        balance(one.bodies, q, one.world, work, False)
        return np.einsum("nji,nj->ni", work.rotation.reshape(N, 3, 3), work.gradient)

    K, h = np.zeros((3 * N, 3 * N)), 1e-6
    for c in range(3 * N):
        turn = np.zeros(3 * N)
        turn[c] = h
        ahead, behind = (gradient(multiply(one.q, exponential(s * turn.reshape(N, 3)))) for s in (1, -1))
        K[:, c] = ((ahead - behind) / (2 * h)).ravel()
    for i, (x, y, z) in enumerate(gradient(one.q)):  # of moments in turning frames, to second derivatives
        K[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] -= 0.5 * np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    mass = product(one, lambda turns, result: mass_product(one.bodies, work, turns, result))
    negative = factorise(one.bodies, work, shift)
    inverse = product(one, lambda turns, result: solve(one.bodies, work, turns, result))
    A = K + shift * mass
    assert np.abs(A @ inverse - np.eye(3 * N)).max() < 1e-6
    if which in ("dead", "pulls", "limits"):
        assert np.abs(A - A.T).max() < 1e-8 * np.abs(A).max()
        below = (np.linalg.eigvalsh(A) < 0.0).sum()
        assert (negative == 0) == (below == 0)
        assert negative <= below
    else:  # without what has no energy the symmetric part is left
        balance(one.bodies, one.q, one.world, work, True)
        factorise(one.bodies, work, shift)
        inverse = product(one, lambda turns, result: solve(one.bodies, work, turns, result))
        assert np.abs(0.5 * (A + A.T) @ inverse - np.eye(3 * N)).max() < 1e-5


def test_no_negative_blocks_where_the_tangent_is_positive_definite():
    one, work = plant(3), new_tangent(N)
    balance(one.bodies, one.q, one.world, work, False)
    mass = product(one, lambda turns, result: mass_product(one.bodies, work, turns, result))
    assert np.abs(mass - mass.T).max() < 1e-13 * np.abs(mass).max()
    assert np.linalg.eigvalsh(mass)[0] > 0.0
    seen = set()
    for shift in np.linspace(0.0, 200.0, 41):
        negative = factorise(one.bodies, work, shift)
        inverse = product(one, lambda turns, result: solve(one.bodies, work, turns, result))
        assert (negative == 0) == (np.linalg.eigvalsh(0.5 * (inverse + inverse.T))[0] > 0.0)
        seen.add(negative == 0)
    assert seen == {True, False}


def test_mass_matrix_is_newtons():
    one, work, nothing = plant(4), new_tangent(N), np.zeros((N, 3))
    balance(one.bodies, one.q, one.world, work, False)
    mass = product(one, lambda turns, result: mass_product(one.bodies, work, turns, result))
    base = one.world.base.copy()
    base[2:] = 0.0
    for c in range(3 * N):
        unit = np.zeros((N, 3))
        unit.flat[c] = 1.0
        moments = Motion(one.bodies, one.q, nothing, unit, base).joint_moments(np.zeros(3))
        assert np.abs(mass[:, c] - moments.ravel()).max() < 1e-12 * np.abs(mass).max()


def test_pull_gradient_is_that_of_its_energy():
    """A free point of the plant: k |x - target|^2 / 2 by differences, with no other load."""
    rng = np.random.default_rng(5)
    bodies = random_bodies(rng, 4)._replace(parent=np.array([-1, 0, 1, 2]), stiffness=np.zeros((4, 3)))
    loads = GivenLoads(4, 1)
    loads.pull_body[:], loads.pull_stiffness[:] = 3, 7.0
    loads.pull_point[:], loads.pull_target[:] = rng.normal(size=(2, 3))
    none = np.zeros((0, 3))
    start, no_rod = np.zeros(5, dtype=np.int64), np.zeros(0, dtype=np.int64)
    panels = Panels(start, none, none, *np.zeros((4, 0)), none, no_rod, *np.zeros((4, 0)))
    world = StillWorld(loads.as_solver(), panels, random_base(rng), touching_nothing())
    q, work = exponential(rng.normal(size=(4, 3))), new_tangent(4)

    def energy(q):
        balance(bodies, q, world, work, False)
        at = work.position[3] + rotate(work.orientation[3], loads.pull_point[0])
        return 3.5 * ((at - loads.pull_target[0]) ** 2).sum()

    expected, h = np.zeros(12), 1e-6
    for c in range(12):
        turn = np.zeros(12)
        turn[c] = h
        ahead, behind = (energy(multiply(q, exponential(s * turn.reshape(4, 3)))) for s in (1, -1))
        expected[c] = (ahead - behind) / (2 * h)
    balance(bodies, q, world, work, False)
    ours = np.einsum("nji,nj->ni", work.rotation.reshape(4, 3, 3), work.gradient).ravel()
    assert np.abs(ours - expected).max() < 1e-7 * np.abs(expected).max()
