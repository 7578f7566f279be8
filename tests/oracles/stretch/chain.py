# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains in a plane whose rods get longer and are shifted, from d'Alembert's principle for points of their material.

Shares no code with the solver. A point of body b is at the sum of e^(i angle_j) c_j(t) over the bodies j on its way
from the base, in complex numbers, with arms c_j that change in time as they are keyed; so it accelerates by the sum of
e^(i angle_j) (c_j'' + 2 i angle_j' c_j' + (i angle_j'' - angle_j'^2) c_j). The forces of inertia of all points, whose
mass at the time moves as they do, balance weight and springs in every direction that the joints leave free.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

_STEP = 1e-4
_GAUSS = np.polynomial.legendre.leggauss(3)


@dataclass
class PlanarChain:
    """Rods one on the tip of the other, each turned by bend (m,) rad from the one below as drawn; the first one's is
    its direction in the world. length, radius (m,) m, density kg/m3; at (k,): where on every rod the joints are, as
    shares; stiffness: (m, k) N m/rad of the joints, of lengths and radii (m,) m; same_section: whether radii stay, or
    else volumes."""

    length: np.ndarray
    radius: np.ndarray
    bend: np.ndarray
    at: tuple[float, ...]
    stiffness: Callable[[np.ndarray, np.ndarray], np.ndarray]
    density: float
    keys: Callable[[float], tuple[np.ndarray, np.ndarray]]
    same_section: bool = False
    gravity: float = 9.81

    def __post_init__(self) -> None:
        """Where the points of material are, which stays: rods (p,), bodies (p,), shares of the rod (p,), those of the
        joint below, none for what the body below the rod carries, weights of the sum and sides of the middle."""
        rows = []
        for r, (j, start, end) in itertools.product(range(len(self.length)), self._pieces()):
            body = r * len(self.at) - 1 + j
            if body >= 0 and end > start:
                for x, w in zip(*_GAUSS, strict=True):
                    share = start + 0.5 * (1.0 + x) * (end - start)
                    rows += [(r, body, share, start, j == 0, 0.25 * w * (end - start), side) for side in (-0.5, 0.5)]
        rod, body, share, below, is_below, weight, side = map(np.array, zip(*rows, strict=True))
        self._rod, self._body, self._share, self._below, self._is_below = rod, body, share, below, is_below
        self._weight, self._side = weight, side

    def _pieces(self) -> list[tuple[int, float, float]]:
        """Of every rod, from one joint to the next: number, and shares of its length."""
        ends = (*self.at, 1.0)
        return [(j, ends[j - 1] if j else 0.0, end) for j, end in enumerate(ends)]

    def keyed(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Factors of lengths and radii, and shifts."""
        longer, shift = self.keys(t)
        return longer, np.ones_like(longer) if self.same_section else longer**-0.5, shift

    def arms(self, *times: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """From each joint to the next one, or of the first from the base, (times, n) in the body below's axes; of the
        points of material the mass (times, p) and the place (times, p) in their bodies' axes."""
        longer, wider, shift = map(np.array, zip(*map(self.keyed, times), strict=True))
        length, radius = self.length * longer, self.radius * wider
        turned = np.exp(1j * self.bend)
        here = shift.astype(complex)  # where every rod's base is, in the axes of the body that carries it
        here[:, 1:] += (1.0 - self.at[-1]) * length[:, :-1]
        arms = [
            here + turned * end * length if j == 0 else (end - start) * length + 0j
            for j, start, end in self._pieces()[:-1]
        ]  # fmt: skip
        rod = self._rod
        place = self._share * length[:, rod] + self._side * radius[:, rod] * 1j
        place = np.where(
            self._is_below, here[:, rod] + turned[rod] * place, place - self._below * length[:, rod]
        )  # fmt: skip
        mass = self._weight * length[:, rod] * self.density * np.pi * radius[:, rod] ** 2
        return np.stack(arms, axis=2).reshape(len(times), -1), mass, place

    def _angles(self, turn: np.ndarray) -> np.ndarray:
        """(n + 1,) of the axes in which arms are given, as numbers of the plane: of the body below, of the world for
        the first."""
        drawn = np.zeros(len(turn))
        drawn[:: len(self.at)] = self.bend
        return np.exp(1j * np.concatenate([[0.0], np.cumsum(turn + drawn)]))

    def accelerations(self, t: float, turn: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """(n,) of the joints' turns from where they are as drawn."""
        n = len(turn)
        arms, mass, places = self.arms(t, t - _STEP, t + _STEP)
        towards, turning = self._angles(turn), np.concatenate([[0.0], np.cumsum(rate)])

        def moved(at, axes):
            """Arms in the world, and their accelerations while angles do not accelerate."""
            now, early, late = at
            velocity, gain = (late - early) / (2.0 * _STEP), (late - 2.0 * now + early) / _STEP**2
            w = turning[axes]
            return towards[axes] * now, towards[axes] * (gain + 2j * w * velocity - w * w * now)

        arm, own = moved(arms, np.arange(n))
        point, left = moved(places, self._body + 1)
        left = left + np.cumsum(own)[self._body]
        moves = np.zeros((len(point), n), dtype=complex)  # of every point, by angles
        moves[:, :-1] = np.where(np.arange(n - 1) < self._body[:, None], 1j * arm[1:], 0.0)
        moves[np.arange(len(point)), self._body] = 1j * point
        by_joint = np.cumsum(moves[:, ::-1], axis=1)[:, ::-1]  # a joint turns all angles from its own on
        weighed = mass[0][:, None] * by_joint.conj()
        H, f = (weighed.T @ by_joint).real, -(weighed.T @ (left + 1j * self.gravity)).real
        longer, wider, _ = self.keyed(t)
        springs = self.stiffness(self.length * longer, self.radius * wider).ravel()
        return np.linalg.solve(H, f - springs * turn)

    def kinetic_energy(self, t: float, turn: np.ndarray, rate: np.ndarray) -> float:
        """J, of joints that turn at a rate (n,) rad/s."""
        arms, mass, places = self.arms(t, t - _STEP, t + _STEP)
        towards, turning = self._angles(turn), np.concatenate([[0.0], np.cumsum(rate)])

        def speed(at, axes):
            now, before, after = at
            return towards[axes] * ((after - before) / (2.0 * _STEP) + 1j * turning[axes] * now)

        velocity = np.cumsum(speed(arms, np.arange(len(turn))))[self._body] + speed(places, self._body + 1)
        return float((0.5 * mass[0] * np.abs(velocity) ** 2).sum())

    def swing(self, turn: np.ndarray, times: np.ndarray) -> np.ndarray:
        """(len(times), n) the joints' turns, let go at rest at the time 0."""
        n = len(turn)

        def slope(t, y):
            return np.concatenate([y[n:], self.accelerations(t, y[:n], y[n:])])

        start = np.concatenate([turn, np.zeros(n)])
        return solve_ivp(slope, (0.0, times[-1]), start, "DOP853", times, rtol=1e-8, atol=1e-10).y[:n].T

    def tip(self, t: float, turn: np.ndarray) -> complex:
        """Where the last rod's tip is (m)."""
        arms, _, _ = self.arms(t)
        towards = self._angles(turn)
        last = self.length[-1] * self.keyed(t)[0][-1] * (1.0 - self.at[-1])
        return complex((towards[:-1] * arms[0]).sum() + towards[-1] * last)
