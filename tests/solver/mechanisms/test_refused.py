# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot move is refused in one sentence: what, where, and what to do."""

import numpy as np
import pytest

from solver import SolverError
from solver import mechanisms as m

HINGE, BALL = m.Revolute(), m.Spherical()


def system(**body):
    return m.Mechanism([m.Body(HINGE, 1.0, (0.1, 0, 0)), m.Body(**{"joint": HINGE, "mass": 1.0, "parent": 0} | body)])


def coupled(followers, function):
    return m.Coupled(system(joint=BALL), followers, function, [0.0])


def corner(s):
    return (s, abs(s), 0.0 * s)


REFUSED = {
    "no bodies": (lambda: m.Mechanism([]), "no bodies"),
    "parent": (lambda: system(parent=1), r"bodies\[1\]\.parent is 1"),
    "mass": (lambda: system(mass=-1.0), r"bodies\[1\]\.mass is -1"),
    "inertia": (lambda: system(inertia=(1.0, -0.1, 1.0)), r"bodies\[1\]\.inertia is no inertia"),
    "mirrored": (lambda: system(placement=np.diag([1, 1, -1, 1])), r"bodies\[1\]\.placement does not turn"),
    "not a number": (lambda: system().forward_dynamics(np.array([np.nan, 0]), [0, 0]), r"q\[0\] is nan"),
    "joint": (lambda: system(joint="hinge"), "must be a Joint"),
    "spring": (lambda: system(joint=BALL, stiffness=(1, 2, 3)), r"bodies\[1\] turns freely"),
    "damper": (lambda: system(damping=-1.0), r"bodies\[1\]\.damping\[0\] is -1"),
    "no mass": (lambda: system(mass=0.0).forward_dynamics([0, 0], [0, 0]), "moves no mass"),
    "same coordinates": (
        lambda: m.Mechanism([m.Body(m.Composed(HINGE, HINGE), 1.0, inertia=(1, 1, 1))]).forward_dynamics_by_matrix(
            [0, 0], [0, 0]
        ),
        "two coordinates do the same",
    ),
    "size": (lambda: system().energy([0.0], [0, 0]), r"q has shape \(1,\), expected \(2,\)"),
    "axis": (lambda: m.Revolute((0, 0, 0)), "axis is zero"),
    "axes": (lambda: m.Prismatic([(1, 0, 0), (2, 0, 0)]), "one line or plane"),
    "too many rates": (lambda: m.Composed(BALL, BALL, HINGE), "has 7 rates"),
    "no rotation": (lambda: m.Given(lambda q: np.diag([2.0, 1, 1, 1]) + 0.0 * q[0], [0.0]), "no rotation"),
    "no matrix": (lambda: m.Given(lambda q: np.eye(3) + 0.0 * q[0], [0.0]), r"expected \(4, 4\)"),
    "one point": (lambda: m.Spline([(0, 0, 0)]), "at least 2 finite rows"),
    "same points": (lambda: m.Spline([(0, 0, 0), (1, 0, 0), (1, 0, 0)]), "points 1 and the one after"),
    "corner": (lambda: m.Path(corner, -1.0, 1.0, pieces=7), "corner near coordinate"),
    "still": (lambda: m.Path(lambda s: (0.0 * s, 1.0, 2.0), 0.0, 1.0), "stands still"),
    "backwards": (lambda: m.Path(corner, 1.0, 1.0), "no length"),
    "not closed": (lambda: m.Path(lambda s: (s, 0, 0), 0.0, 1.0, closed=True), "does not end as it begins"),
    "turns": (lambda: m.point_on_curve(m.circle(1.0), "loose"), "unknown turns 'loose'"),
    "wheel": (lambda: m.RollingWheel(m.circle(1.0), 0.0), "other than 0"),
    "wheel in space": (lambda: m.RollingWheel(m.Path(lambda s: (s, s, s * s), 0, 1), 0.1), "leaves its plane"),
    "torus": (lambda: m.Torus(1.0, 1.0), "meets itself"),
    "ellipsoid": (lambda: m.Ellipsoid(1.0, 0.0, 1.0), "b is 0"),
    "pole": (
        lambda: m.point_on_surface(m.Ellipsoid(1, 1, 1)).at(np.array([0.3, np.pi / 2, 0]), np.zeros(3)),
        r"no normal at \(0\.3, 1\.5708\)",
    ),
    "free follower": (lambda: coupled([1], lambda r: [r[0], 0, 0]), r"bodies\[1\] turns freely"),
    "no followers": (lambda: coupled([], lambda r: []), "no joints follow"),
    "few angles": (lambda: coupled([0], lambda r: [r[0], r[0]]), r"expected \(1,\) for the joints that follow"),
    "no constraints": (lambda: m.Constrained(system(), []), "no constraints"),
    "rows": (
        lambda: m.Run(m.Constrained(system(), [m.Nonholonomic(lambda q: [[q[0]]])])),
        "expected rows of 2",
    ),
    "rolling": (lambda: m.RollingSurfaces(system(), 1, m.Plane(), m.Plane()), "has 1 rates, expected 5"),
    "not finite": (
        lambda: m.Path(lambda s: (s, np.sqrt(s - 2.0), 0.0), 0.0, 1.0),
        "not finite",
    ),
    "stiff": (
        lambda: m.Run(system(inertia=(1e-9,) * 3, mass=0.0, stiffness=1e9), [0.5, 0.5]).advance(1.0),
        "needs steps below 1e-06 s",
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    refused, message = REFUSED[name]
    with pytest.raises(SolverError, match=message):
        refused()
