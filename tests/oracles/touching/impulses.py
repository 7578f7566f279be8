# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses of collisions by the law itself, found apart from the solver.

In a plane they are straight pieces, which follow each other exactly. In space the velocities are integrated over the
normal impulse with SciPy's formulas of eighth order, up to where slipping ends.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from solver.contact.collision import impulses

#: Tangential speed that is none, of the whole speed at the beginning; what the integration is exact to; and its longest
#: steps: where slipping ends is found on what is drawn through a step's ends, which is less exact than these.
STILL, EXACT, LONGEST = 1e-12, 1e-13, 0.1


def collide(K, v, friction, bounce) -> tuple[np.ndarray, np.ndarray]:
    """Impulses (k, 3) by the solver and how each was found, of K (k, 3, 3), v (k, 3), friction and bounce (k,)."""
    p, how = np.empty_like(v), np.zeros(len(v), dtype=np.int64)
    impulses(np.ascontiguousarray(K.reshape(-1, 9)), v, friction, bounce, p, how)
    return p, how


def random_ones(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """K of a body that is hit far off its centre, or of two, and how they meet."""
    rng = np.random.default_rng(seed)
    K = np.zeros((count, 3, 3))
    for k in range(count):
        for _ in range(int(rng.integers(1, 3))):
            spread = rng.normal(size=(3, 3))
            inertia = spread @ spread.T + 0.05 * np.eye(3)
            x, y, z = rng.normal(size=3) * 10.0 ** rng.uniform(-0.5, 0.3)
            hat = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            K[k] += np.eye(3) / 10.0 ** rng.uniform(-0.5, 0.5) - hat @ np.linalg.inv(inertia) @ hat
    v = rng.normal(size=(count, 3))
    v[:, 2] = -np.abs(v[:, 2]) - 0.05
    return 0.5 * (K + K.transpose(0, 2, 1)), v, rng.uniform(0.0, 1.5, count), rng.uniform(0.0, 0.99, count)


def in_plane(K: np.ndarray, v: np.ndarray, friction: float, bounce: float) -> np.ndarray | None:
    """(3,) N s where y has no part in it: K[1, 0] = K[1, 2] = v[1] = 0. None where nothing ends it (jamming)."""
    vx, vz, p, work = v[0], v[2], np.zeros(3), 0.0
    for left in (None, 1.0 - bounce**2):
        goal = None if left is None else left * work
        while not _is_over(vz, work, goal):
            direction = _friction_of(K, vx, friction)
            dvx, dvz = K[0, 0] * direction + K[0, 2], K[2, 0] * direction + K[2, 2]
            stops = -vx / dvx if vx * dvx < 0.0 else np.inf
            ends = _end(vz, dvz, work, goal)
            step = min(stops, ends)
            if not np.isfinite(step):
                return None
            work += (vz + 0.5 * step * dvz) * step
            p += step * np.array([direction, 0.0, 1.0])
            vx, vz = (0.0 if stops <= ends else vx + step * dvx), vz + step * dvz
            if ends <= stops:
                break
    return p


def _is_over(vz: float, work: float, goal: float | None) -> bool:
    return vz >= 0.0 if goal is None else work >= goal


def _end(vz: float, dvz: float, work: float, goal: float | None) -> float:
    """Normal impulse after which compression is over or, of restitution, the work is the goal."""
    if goal is None:
        return -vz / dvz if dvz > 0.0 else np.inf
    under = vz * vz + 2.0 * (goal - work) * dvz
    return max(0.0, (-vz + np.sqrt(under)) / dvz) if dvz > 0.0 and under >= 0.0 else np.inf


def _friction_of(K: np.ndarray, vx: float, friction: float) -> float:
    """By a unit of normal impulse: against slipping, or what holds, or along the way on which it slips again."""
    if vx != 0.0:
        return -friction * np.sign(vx)
    holds = -K[0, 2] / K[0, 0]
    return holds if abs(holds) <= friction else friction * np.sign(holds)


def in_space(K: np.ndarray, v: np.ndarray, friction: float, bounce: float) -> np.ndarray | None:
    """(3,) N s, or None where the velocities grow without end. Integrated over a variable of which a unit is as much
    impulse as the tangential speed, so that slipping ends smoothly; all after its end is straight."""
    size = float(np.linalg.norm(v))
    y, held = np.array([*v, 0.0, 0.0, 0.0, 0.0]), None
    for is_last in (False, True):
        goal = (1.0 - bounce**2) * y[6] if is_last else None
        while not _is_over(y[2], y[6], goal):
            if held is None and np.hypot(y[0], y[1]) <= STILL * size:
                held = _held(K, friction)
            if held is not None:
                push = np.array([*held, 1.0])
                step = _end(y[2], K[2] @ push, y[6], goal)
                if not np.isfinite(step):
                    return None
                done = (y[2] + 0.5 * step * (K[2] @ push)) * step
                y = y + np.array([*(step * (K @ push)), *(step * push), done])
                break

            def slope(_, at):
                speed = np.hypot(at[0], at[1])
                push = np.array([-friction * at[0], -friction * at[1], speed])
                return np.array([*(K @ push), *push, at[2] * speed])

            def over(_, at, goal=goal):
                return at[2] if goal is None else at[6] - goal

            def stops(_, at):
                return np.hypot(at[0], at[1]) - 0.5 * STILL * size

            over.terminal, stops.terminal = True, True
            found = solve_ivp(
                slope, (0.0, 1e4), y, "DOP853", events=[over, stops], rtol=EXACT, atol=1e-2 * EXACT * size,
                max_step=LONGEST,
            )  # fmt: skip
            if found.status != 1:
                return None
            y = found.y[:, -1]
            if len(found.t_events[0]):
                break
    return y[3:6]


def _held(K: np.ndarray, friction: float) -> np.ndarray:
    """(2,) by a unit of normal impulse where nothing slips: what holds or, as it cannot, along the only way out."""
    d = -np.linalg.solve(K[:2, :2], K[:2, 2])
    if np.hypot(*d) <= friction:
        return d

    def parts(angle):
        way = np.array([np.cos(angle), np.sin(angle)])
        gained = K[:2, :2] @ (-friction * way) + K[:2, 2]
        return way @ gained, way[0] * gained[1] - way[1] * gained[0]

    angles = np.linspace(0.0, 2.0 * np.pi, 2001) + 0.123
    across = np.array([parts(angle)[1] for angle in angles])
    ends = np.flatnonzero(across[:-1] * across[1:] < 0.0)
    ways = [brentq(lambda a: parts(a)[1], angles[i], angles[i + 1], xtol=1e-15) for i in ends]
    best = max(ways, key=lambda angle: parts(angle)[0])
    return -friction * np.array([np.cos(best), np.sin(best)])
