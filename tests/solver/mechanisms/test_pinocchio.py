# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of the usual joints, and coupled ones, against Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest

from solver import mechanisms as m
from tests.oracles.jointed.figures import CROSSES, tong, tong_angles, tong_bodies


def rotation(rng):
    return m.Spherical().at(rng.normal(size=4), np.zeros(3)).R


class Twin:
    """A mechanism and the same in Pinocchio, whose joints have the same rates in another order or other axes."""

    def __init__(self, bodies, kinds):
        self.ours, self.model = m.Mechanism(bodies), pin.Model()
        ids: list[int] = []
        for body, kind in zip(bodies, kinds, strict=True):
            below = ids[body.parent] if body.parent >= 0 else 0
            A = np.asarray(body.placement)
            ids.append(self.model.addJoint(below, kind(), pin.SE3(A[:3, :3], A[:3, 3]), f"joint{len(ids)}"))
            inertia = np.asarray(body.inertia, dtype=float)
            inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
            self.model.appendBodyToJoint(
                ids[-1], pin.Inertia(body.mass, np.array(body.com, dtype=float), inertia), pin.SE3.Identity()
            )
        self.model.gravity.linear = np.array([0.0, 0.0, -9.81])
        self.data = self.model.createData()


def universal():
    made = pin.JointModelComposite(pin.JointModelRX())
    made.addJoint(pin.JointModelRY())
    return made


def slide_and_turn():
    made = pin.JointModelComposite(pin.JointModelPX())
    made.addJoint(pin.JointModelSpherical())
    return made


#: Ours and theirs with the same rates and the same coordinates, but for the order within quaternions.
KINDS = [
    (m.Revolute((0, 1, 0)), pin.JointModelRY),
    (m.Prismatic((0, 0, 1)), pin.JointModelPZ),
    (m.universal(), universal),
    (m.Spherical(), pin.JointModelSpherical),
    (m.Composed(m.Prismatic((1, 0, 0)), m.Spherical()), slide_and_turn),
]


def tree(rng, n, parent):
    bodies, kinds = [], []
    for i in range(n):
        joint, kind = KINDS[rng.integers(len(KINDS))]
        A = np.eye(4)
        A[:3, :3], A[:3, 3] = rotation(rng), rng.uniform(-0.5, 0.5, 3)
        spread = rng.normal(size=(3, 3))
        inertia = spread @ spread.T + 0.1 * np.eye(3)
        bodies.append(m.Body(joint, rng.uniform(0.5, 2.0), rng.uniform(-0.3, 0.3, 3), inertia, parent(i), A))
        kinds.append(kind)
    return Twin(bodies, kinds)


def theirs_of(twin, q):
    """Coordinates with x y z w quaternions."""
    q = q.copy()
    for body, at in zip(twin.ours.bodies, twin.ours.coordinates_of, strict=True):
        if body.joint.free_turns:
            q[at.stop - 4 : at.stop] = q[at.stop - 4 : at.stop][[1, 2, 3, 0]]
    return q


@pytest.mark.parametrize("seed", range(4))
def test_random_trees(seed):
    """Numbered depth first, as Pinocchio's rates are."""
    rng = np.random.default_rng(seed)
    twin = tree(rng, 9, lambda i: -1 if i % 5 == 0 else i - 1)
    ours, model, data = twin.ours, twin.model, twin.data
    q = ours.normalized(ours.start + rng.uniform(-1, 1, len(ours.start)))
    u, a, tau = rng.normal(size=(3, ours.rates))
    other = theirs_of(twin, q)
    expected = pin.rnea(model, data, other, u, a)
    assert np.abs(ours.inverse_dynamics(q, u, a) - expected).max() < 1e-12 * np.abs(expected).max()
    expected = pin.aba(model, data, other, u, tau)
    found = ours.forward_dynamics(q, u, m.Loads(effort=tau))
    assert np.abs(found - expected).max() < 1e-11 * np.abs(expected).max()
    pin.crba(model, data, other)
    M = np.triu(data.M) + np.triu(data.M, 1).T
    assert np.abs(ours.mass_matrix(q) - M).max() < 1e-13 * np.abs(M).max()
    B = rng.normal(size=(ours.rates, 3))
    assert np.abs(ours.mass_solved(q, B) - np.linalg.solve(M, B)).max() < 1e-10 * np.abs(B).max()
    energy = ours.energy(q, u)
    assert energy.kinetic == pytest.approx(pin.computeKineticEnergy(model, data, other, u), rel=1e-13)
    assert energy.gravitational == pytest.approx(pin.computePotentialEnergy(model, data, other), rel=1e-12)
    momentum = pin.computeCentroidalMomentum(model, data, other, u)
    about_origin = momentum.angular + np.cross(data.com[0], momentum.linear)
    assert np.abs(ours.momentum(q, u) - [*about_origin, *momentum.linear]).max() < 1e-12 * np.abs(about_origin).max()


def test_what_accelerates_takes_its_own_forces():
    """inverse(forward(tau)) = tau with springs, dampers and loads, and the matrix gives the same."""
    rng = np.random.default_rng(9)
    twin = tree(rng, 12, lambda i: int(rng.integers(-1, i)) if i else -1)
    bodies = [
        m.Body(b.joint, b.mass, b.com, b.inertia, b.parent, b.placement, stiffness=3.0 * i, damping=0.1)
        for i, b in enumerate(twin.ours.bodies)
    ]
    ours = m.Mechanism(bodies)
    q = ours.normalized(ours.start + rng.uniform(-1, 1, len(ours.start)))
    u, tau = rng.normal(size=(2, ours.rates))
    loads = m.Loads((1.0, 2.0, 3.0), *rng.normal(size=(2, len(bodies), 3)))
    a = ours.forward_dynamics(q, u, loads._replace(effort=tau))
    assert np.abs(ours.inverse_dynamics(q, u, a, loads) - tau).max() < 1e-11 * np.abs(tau).max()
    by_matrix = ours.forward_dynamics_by_matrix(q, u, loads._replace(effort=tau))
    assert np.abs(by_matrix - a).max() < 1e-10 * np.abs(a).max()


def test_tong_is_pinocchios_tree_with_its_angles_tied():
    """G^T M G and G^T (c - springs) of 34 joints, at several openings."""
    bodies = tong_bodies()
    fish = CROSSES
    twin = Twin(bodies, [universal if i == fish else pin.JointModelRY for i in range(len(bodies))])
    system = tong().system
    tied = np.array(tong_angles([1.0]))
    G = np.zeros((34, 3))
    G[:fish, 0], G[fish + 2 :, 0], G[fish, 1], G[fish + 1, 2] = tied[:fish], tied[fish:], 1.0, 1.0
    for opening in (0.4, 0.8, 1.2):
        r, w = np.array([opening, 0.3, -0.4]), np.array([0.7, -1.0, 2.0])
        q = G @ r
        M = pin.crba(twin.model, twin.data, q)
        M = np.triu(M) + np.triu(M, 1).T
        c = pin.nonLinearEffects(twin.model, twin.data, q, G @ w)
        springs = np.zeros(34)
        springs[0], springs[fish + 2] = -40.0 * (opening - 0.9), 40.0 * (opening - 0.9)
        expected = np.linalg.solve(G.T @ M @ G, G.T @ (springs - c))
        found = system.forward_dynamics(r, w)
        assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()
        assert np.abs(system.inverse_dynamics(r, w, found)).max() < 1e-10 * np.abs(G.T @ c).max()
