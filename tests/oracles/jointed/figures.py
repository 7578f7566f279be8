# SPDX-License-Identifier: GPL-3.0-or-later
"""The mechanisms of Guenter & Lee's figures 5 and 8, with sizes of our own: the paper prints none."""

from typing import NamedTuple

import numpy as np

from solver import mechanisms as m
from solver.mechanisms import Body

#: A body's x along the world's x, its y upwards.
UPRIGHT = np.array([[1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0]])


class Figure(NamedTuple):
    """A system, and coordinates and rates to begin with."""

    system: object
    q: np.ndarray
    u: np.ndarray


def at(x=0.0, y=0.0, z=0.0, R=None):
    """A placement (4, 4)."""
    A = np.eye(4)
    A[:3, 3] = x, y, z
    if R is not None:
        A[:3, :3] = R
    return A


def roller_coaster():
    """A closed wire that loops, rises, has a straight part, and leaves every plane (fig. 5a, 8)."""
    return m.Spline(
        [(0, 0, 0.6), (1, 0.1, 0.1), (2, 0, -0.1), (3, 0, 0), (3.8, 0.3, 0.4), (3.6, 0.8, 0.9), (2.8, 1.1, 0.6),
         (2, 1.2, 0.2), (1, 1.2, 0.2), (0, 1.2, 0.2), (-0.6, 0.7, 0.5)],
        closed=True,
    )  # fmt: skip


def bead_on_wire(turns="roll") -> Figure:
    """A lopsided bead on the roller coaster (fig. 8)."""
    bead = Body(m.point_on_curve(roller_coaster(), turns), 0.2, (0, 0.02, 0), (2e-4, 3e-4, 4e-4))
    system = m.Mechanism([bead])
    u = np.zeros(system.rates)
    u[0] = 1.5
    return Figure(system, system.start, u)


RING, TUBE = 1.0, 0.2  # m
_HEAVY = 3.0  # kg


def ring_inertia():
    """(3,) kg m2 of a solid torus about its centre: m (4 R^2 + 5 r^2) / 8 across, m (4 R^2 + 3 r^2) / 4 about z."""
    across, around = (4 * RING**2 + 5 * TUBE**2) / 8, (4 * RING**2 + 3 * TUBE**2) / 4
    return _HEAVY * np.array([across, across, around])


def torus_chain(rings=4) -> Figure:
    """Rings that hang in each other: the first by a universal joint, the rest by tube on tube (fig. 5b). Four have 14
    coordinates."""
    ring = m.Torus(RING, TUBE)
    link = m.surface_on_surface(ring, m.Flipped(ring))
    bodies = [Body(m.universal(), _HEAVY, (0, -RING, 0), ring_inertia(), placement=UPRIGHT)]
    here = at(0, -RING, 0)  # of the ring's centre in its body
    for i in range(1, rings):
        bodies.append(Body(link, _HEAVY, (0, 0, 0), ring_inertia(), i - 1, here))
        here = np.eye(4)
    system = m.Mechanism(bodies)
    q, u = np.zeros(system.rates), np.zeros(system.rates)
    for i in range(1, rings):
        # lowest point of the upper ring, inside; inside and uppermost of the lower one, whose coordinates are swapped
        q[4 * i - 2 : 4 * i + 2] = (-0.5 + 0.1 * i) * np.pi, np.pi + 0.2, np.pi - 0.1, 0.5 * np.pi
    q[:2] = 0.3, 0.4
    u[1] = 0.5
    return Figure(system, q, u)


CROSSES, HALF = 16, 0.1  # pairs of bars that cross, m from a bar's middle to its ends


def tong_bodies() -> list[Body]:
    """Two zigzags of 16 bars that hang down and cross, and the fish below the first (fig. 5d)."""
    fish = Body(m.universal(), 0.3, (0.02, 0, -0.12), (8e-4, 1e-3, 3e-4), CROSSES - 1, at(z=-2 * HALF))
    return [*_zigzag(0, 1), fish, *_zigzag(CROSSES + 1, -1)]


def _zigzag(first: int, side: int) -> list[Body]:
    """Bars that hang on each other, the first by its middle from the ground; its spring opens the tong by 0.9 rad."""
    hinge, inertia = m.Revolute((0, 1, 0)), 0.05 * HALF**2 * np.array([1 / 3, 1 / 3, 1e-3])
    bars = [Body(hinge, 0.05, (0, 0, 0), inertia, stiffness=40.0, rest=0.9 * side)]
    for k in range(1, CROSSES):
        below = at(z=-HALF if k == 1 else -2 * HALF)
        bars.append(Body(hinge, 0.05, (0, 0, -HALF), inertia, first + k - 1, below))
    return bars


#: Which bodies of the tong follow its opening.
BARS = [k for k in range(2 * CROSSES + 1) if k != CROSSES]


def tong_angles(r):
    """Joints' angles of the bars by the opening angle: crossing bars always touch each other's middle."""
    zigzag = [r[0]] + [(-2 if k % 2 else 2) * r[0] for k in range(1, CROSSES)]
    return [*zigzag, *(-angle for angle in zigzag)]


def tong() -> Figure:
    """3 rates: of the opening, and of the fish's universal joint."""
    system = m.Coupled(m.Mechanism(tong_bodies()), BARS, tong_angles, [0.8])
    return Figure(system, np.array([0.8, 0.9, 0.5]), np.array([0.0, 0.0, 1.0]))


def bowl_and_ball():
    """The surfaces of an ellipsoid in a bowl; both normals point to the bowl's outside."""
    return m.Ellipsoid(1.0, 0.8, 1.2), m.Ellipsoid(0.25, 0.2, 0.3)


#: The bowl's x axis downwards, so that its poles are at its sides.
BOWL = np.array([[0.0, 1.0, 0, 0], [0, 0, 1.0, 0], [1.0, 0, 0, 0], [0, 0, 0, 1.0]]) @ np.diag([-1.0, 1, -1, 1])


def rolling_ellipsoid(pivoting=True) -> Figure:
    """An ellipsoid that rolls in an ellipsoidal bowl without sliding (fig. 5e, eq. 16)."""
    bowl, ball = bowl_and_ball()
    mass, (a, b, c) = 2.0, (0.25, 0.2, 0.3)
    inertia = mass / 5 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    body = Body(m.surface_on_surface(bowl, ball, spin=True), mass, inertia=inertia, placement=BOWL)
    mechanism = m.Mechanism([body])
    system = m.Constrained(mechanism, [m.RollingSurfaces(mechanism, 0, bowl, ball, pivoting)])
    return Figure(system, np.array([0.3, 0.25, 0.2, 0.0, 0.1]), np.array([0.4, -0.5, 0.3, 0.0, 0.0]))


CUP, WHEEL, SMALL = 1.0, 0.4, 0.12  # m


def wheels() -> Figure:
    """A wheel that rolls in a round cup, and a small one that rolls in the wheel, which is hollow (fig. 5c)."""
    bodies = [
        Body(m.RollingWheel(m.circle(CUP), WHEEL), 2.0, inertia=(0.1, 0.1, 0.8 * WHEEL**2 * 2.0), placement=UPRIGHT),
        Body(m.RollingWheel(m.circle(WHEEL), SMALL), 0.5, inertia=(0.1, 0.1, 0.25 * SMALL**2), parent=0),
    ]
    return Figure(m.Mechanism(bodies), np.array([0.1, -1.0]), np.array([0.0, 2.0]))


FIGURES = {
    "bead on a wire": bead_on_wire,
    "chain of 4 tori": torus_chain,
    "tong of 32 bars and a fish": tong,
    "ellipsoid on ellipsoid": rolling_ellipsoid,
    "wheel in a wheel in a cup": wheels,
}
