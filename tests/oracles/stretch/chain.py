# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains in a plane whose rods get longer and are shifted, from d'Alembert's principle for points of their material.

Shares no code with the solver. A point of body b is at the sum of e^(i angle_j) c_j(t) over the bodies j on its way
from the base, in complex numbers, with arms c_j that change in time as they are keyed; so it accelerates by the sum of
e^(i angle_j) (c_j'' + 2 i angle_j' c_j' + (i angle_j'' - angle_j'^2) c_j). The forces of inertia of all points, whose
mass at the time moves as they do, balance weight and springs in every direction that the joints leave free.
"""

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

    def keyed(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Factors of lengths and radii, and shifts."""
        longer, shift = self.keys(t)
        return longer, np.ones_like(longer) if self.same_section else longer**-0.5, shift

    def arms(self, t: float) -> tuple[np.ndarray, list[tuple[int, float, complex]]]:
        """From each joint to the next one, or of the first from the base, (n,) in the body below's axes; and points of
        material (body, mass, place in its axes)."""
        longer, wider, shift = self.keyed(t)
        k, arms, points = len(self.at), [], []
        joint = 0.0  # where on its rod the last joint is
        here = 0.0j  # where the rod's base is, in the axes of the body that carries it
        for r, length in enumerate(self.length * longer):
            turned = np.exp(1j * self.bend[r])
            below = r * k - 1
            ends = np.append(self.at, 1.0) * length
            here = here + shift[r]
            mass_per_length = self.density * np.pi * (self.radius[r] * wider[r]) ** 2
            start = 0.0
            for j, end in enumerate(ends):
                body = below + j
                if body >= 0 and end > start:
                    for x, w in zip(*_GAUSS, strict=True):
                        y = start + 0.5 * (1.0 + x) * (end - start)
                        mass = 0.5 * w * (end - start) * mass_per_length
                        for side in (-0.5, 0.5):
                            place = y + side * self.radius[r] * wider[r] * 1j
                            place = here + turned * place if j == 0 else place - joint
                            points.append((body, 0.5 * mass, place))
                if j < k:
                    arms.append(here + turned * end if j == 0 else end - joint)
                    joint = end
                start = end
            here = complex(length - joint)
        return np.array(arms), points

    def accelerations(self, t: float, turn: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """(n,) of the joints' turns from where they are as drawn."""
        n, k = len(turn), len(self.at)
        now, before, after = self.arms(t), self.arms(t - _STEP), self.arms(t + _STEP)
        drawn = np.zeros(n)
        drawn[::k] = self.bend
        angle = np.cumsum(turn + drawn)
        speed = np.cumsum(rate)
        # axes in which an arm is given: those of the body below, of the world for the first
        towards = np.exp(1j * np.concatenate([[0.0], angle]))
        turning = np.concatenate([[0.0], speed])

        def moved(at, early, late, axes):
            """Arm in the world, and its acceleration while angles do not accelerate."""
            velocity, gain = (late - early) / (2.0 * _STEP), (late - 2.0 * at + early) / _STEP**2
            w = turning[axes]
            return towards[axes] * at, towards[axes] * (gain + 2j * w * velocity - w * w * at)

        arms = [moved(now[0][i], before[0][i], after[0][i], i) for i in range(n)]
        H, f = np.zeros((n, n)), np.zeros(n)
        for (body, mass, at), (_, _, early), (_, _, late) in zip(now[1], before[1], after[1], strict=True):
            e, left = moved(at, early, late, body + 1)
            moves = np.zeros(n, dtype=complex)  # of the point, by angles
            moves[body] += 1j * e
            for j in range(body + 1):
                arm, own = arms[j]
                left = left + own
                if j > 0:
                    moves[j - 1] += 1j * arm
            by_joint = np.cumsum(moves[::-1])[::-1]  # a joint turns all angles from its own on
            H += mass * (by_joint[:, None].conj() * by_joint[None, :]).real
            f -= mass * (by_joint.conj() * (left + 1j * self.gravity)).real
        longer, wider, _ = self.keyed(t)
        springs = self.stiffness(self.length * longer, self.radius * wider).ravel()
        return np.linalg.solve(H, f - springs * turn)

    def kinetic_energy(self, t: float, turn: np.ndarray, rate: np.ndarray) -> float:
        """J, of joints that turn at a rate (n,) rad/s."""
        now, early, late = self.arms(t), self.arms(t - _STEP), self.arms(t + _STEP)
        drawn = np.zeros(len(turn))
        drawn[:: len(self.at)] = self.bend
        towards = np.exp(1j * np.concatenate([[0.0], np.cumsum(turn + drawn)]))
        turning = np.concatenate([[0.0], np.cumsum(rate)])

        def speed(at, before, after, axes):
            return towards[axes] * ((after - before) / (2.0 * _STEP) + 1j * turning[axes] * at)

        arms = [speed(now[0][i], early[0][i], late[0][i], i) for i in range(len(turn))]
        energy = 0.0
        for (body, mass, at), (_, _, before), (_, _, after) in zip(now[1], early[1], late[1], strict=True):
            velocity = sum(arms[: body + 1]) + speed(at, before, after, body + 1)
            energy += 0.5 * mass * abs(velocity) ** 2
        return energy

    def swing(self, turn: np.ndarray, times: np.ndarray) -> np.ndarray:
        """(len(times), n) the joints' turns, let go at rest at the time 0."""
        n = len(turn)

        def slope(t, y):
            return np.concatenate([y[n:], self.accelerations(t, y[:n], y[n:])])

        start = np.concatenate([turn, np.zeros(n)])
        return solve_ivp(slope, (0.0, times[-1]), start, "DOP853", times, rtol=1e-8, atol=1e-10).y[:n].T

    def tip(self, t: float, turn: np.ndarray) -> complex:
        """Where the last rod's tip is (m)."""
        arms, _ = self.arms(t)
        drawn = np.zeros(len(turn))
        drawn[:: len(self.at)] = self.bend
        towards = np.exp(1j * np.concatenate([[0.0], np.cumsum(turn + drawn)]))
        last = self.length[-1] * self.keyed(t)[0][-1] * (1.0 - self.at[-1])
        return complex((towards[:-1] * arms).sum() + towards[-1] * last)
