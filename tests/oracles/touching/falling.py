# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains and trees that fall onto things and each other, for runs here and in MuJoCo."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from solver import Collider, Model
from solver.math.rotations import multiply, rotate

from ..models import beam, binary_tree
from ..motions import equally_stiff
from .by_forces import path_by_forces
from .in_mujoco import our_path, their_path

INTERVAL, TIMES = 1.0 / 60.0, 36

Scene = tuple[list[Model], list[Collider]]


def chain(friction: float, young=3e6, damping_time=0.02) -> Model:
    """Six rods, drawn level along x from the origin."""
    return equally_stiff(beam(6, 0.6, 0.01, young, 600.0, damping_time=damping_time, friction=friction))


def tree(friction: float) -> Model:
    """14 rods, drawn aslant."""
    rods = binary_tree(2, 3, 0.008, 3e6, 600.0, 1.0, damping_time=2e-3, friction=friction)
    turn = np.array([np.cos(0.7), 0.0, np.sin(0.7), 0.0])
    return equally_stiff(
        replace(rods, head=rotate(turn, rods.array("head")), frame=multiply(turn, rods.array("frame")))
    )


def crossed(friction: float) -> list[Model]:
    """A soft chain that falls across a stiffer one."""
    given = {"density": 600.0, "damping_time": 0.02, "friction": friction}
    below = beam(4, 0.4, 0.01, 1e8, **given)
    above = beam(6, 0.6, 0.01, 1e6, frame=np.array([1.0, 0.0, 0.0, 0.0]), **given)
    above = replace(above, head=above.array("head") + np.array((0.3, -0.3, 0.06)))
    return [equally_stiff(below), equally_stiff(above)]


def _ball(friction: float, at=(0.35, 0.0, -0.18)) -> list[Collider]:
    return [Collider("ball", size=[0.1], position=at, friction=friction)]


def _box(friction: float, at=(0.4, 0.0, -0.15)) -> list[Collider]:
    return [Collider("box", size=[0.1, 0.2, 0.05], position=at, friction=friction)]


def _ground(friction: float, height: float) -> list[Collider]:
    return [Collider("plane", position=(0.0, 0.0, height), friction=friction)]


SCENES: dict[str, Callable[[float], Scene]] = {
    "a chain onto a plane": lambda mu: ([chain(mu, 1e6, 2e-3)], _ground(mu, -0.25)),
    "a chain onto a ball": lambda mu: ([chain(mu)], _ball(mu)),
    "a chain onto a ball's side": lambda mu: ([chain(mu)], _ball(mu, (0.35, 0.05, -0.18))),
    "a chain onto a box": lambda mu: ([chain(mu, 1e6, 2e-3)], _box(mu, (0.35, 0.0, -0.2))),
    "a tree onto a plane": lambda mu: ([tree(mu)], _ground(mu, -0.12)),
    "a tree onto a ball": lambda mu: ([tree(mu)], _ball(mu, (0.15, 0.03, -0.12))),
    "a tree onto a box": lambda mu: ([tree(mu)], _box(mu, (0.2, 0.0, -0.12))),
    "a chain onto a chain": lambda mu: (crossed(mu), []),
}


def distances(name: str, friction: float, step=1e-5) -> tuple[np.ndarray, float]:
    """(t,) of the farthest rod's end from where MuJoCo has it, as a share of the longest way that one goes; and by how
    much MuJoCo's own differs with contacts ten times as soft, at most."""
    models, things = SCENES[name](friction)
    theirs = their_path(models, things, friction, INTERVAL, TIMES, step)
    soft = their_path(models, things, friction, INTERVAL, TIMES, step, softer=10.0)
    off, own = (_off(path, theirs) for path in (_ours(models, things), soft))
    return off, float(own.max())


def distances_by_law(name: str, friction: float) -> np.ndarray:
    """(t,) the same, from where the law of contact, written out as forces, has it."""
    models, things = SCENES[name](friction)
    return _off(_ours(models, things), path_by_forces(models, things, friction, INTERVAL, TIMES))


def _ours(models: list[Model], things: list[Collider]) -> np.ndarray:
    return our_path(models, things, INTERVAL, TIMES, max_step=1 / 3840, tolerance=1e-7)


def _off(path: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """(t,) of the farthest rod's end from the other path's, as a share of the longest way in that."""
    travel = np.linalg.norm(np.diff(beside, axis=0), axis=2).sum(axis=0).max()
    return np.asarray(np.linalg.norm(path - beside, axis=2).max(axis=1) / travel)
