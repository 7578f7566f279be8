# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains and trees that fall onto things and each other, for runs here and in MuJoCo."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solver import Collider, Model
from solver.math.rotations import multiply, rotate
from solver.model.rods import LANDING_TIME

from ..models import beam, binary_tree
from ..motions import equally_stiff
from .by_forces import path_by_forces
from .in_mujoco import our_path, their_path

INTERVAL, TIMES = 1.0 / 60.0, 36

#: How softly contacts land (s) beside MuJoCo's, which are nearly rigid.
HARD = 2e-5

Scene = tuple[list[Model], list[Collider]]
Columns = dict[str, float]


def chain(touching: Columns, young=3e6, damping_time=0.02) -> Model:
    """Six rods, drawn level along x from the origin."""
    return equally_stiff(beam(6, 0.6, 0.01, young, 600.0, damping_time=damping_time, **touching))


def tree(touching: Columns) -> Model:
    """14 rods, drawn aslant."""
    rods = binary_tree(2, 3, 0.008, 3e6, 600.0, 1.0, damping_time=2e-3, **touching)
    turn = np.array([np.cos(0.7), 0.0, np.sin(0.7), 0.0])
    return equally_stiff(
        replace(rods, head=rotate(turn, rods.array("head")), frame=multiply(turn, rods.array("frame")))
    )


def crossed(touching: Columns) -> list[Model]:
    """A soft chain that falls across a stiffer one."""
    given = {"density": 600.0, "damping_time": 0.02, **touching}
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


_MADE: dict[str, tuple[Callable[[Columns], list[Model]], Callable[[float], list[Collider]]]] = {
    "a chain onto a plane": (lambda touching: [chain(touching, 1e6, 2e-3)], lambda mu: _ground(mu, -0.25)),
    "a chain onto a ball": (lambda touching: [chain(touching)], _ball),
    "a chain onto a ball's side": (lambda touching: [chain(touching)], lambda mu: _ball(mu, (0.35, 0.05, -0.18))),
    "a chain onto a box": (lambda touching: [chain(touching, 1e6, 2e-3)], lambda mu: _box(mu, (0.35, 0.0, -0.2))),
    "a tree onto a plane": (lambda touching: [tree(touching)], lambda mu: _ground(mu, -0.12)),
    "a tree onto a ball": (lambda touching: [tree(touching)], lambda mu: _ball(mu, (0.15, 0.03, -0.12))),
    "a tree onto a box": (lambda touching: [tree(touching)], lambda mu: _box(mu, (0.2, 0.0, -0.12))),
    "a chain onto a chain": (crossed, lambda mu: []),
}
SCENES = tuple(_MADE)


def scene(name: str, friction: float, landing_time: float) -> Scene:
    models, things = _MADE[name]
    return models({"friction": friction, "landing_time": landing_time}), things(friction)


class Distances(NamedTuple):
    """Of the farthest rod's end from another path's, as shares of the longest way in that. off (t,): here from MuJoCo's
    with Coulomb's friction; softly: the same of contacts that land as usual, at most; as_is: here from MuJoCo's as it
    is; lifts: of these two of MuJoCo's from each other; soft: of MuJoCo's as it is with contacts ten times as soft."""

    off: np.ndarray
    softly: float
    as_is: float
    lifts: float
    soft: float


def distances(name: str, friction: float, step=1e-5) -> Distances:
    models, things = scene(name, friction, HARD)
    given = models, things, friction, INTERVAL, TIMES, step
    theirs, as_is, soft = (their_path(*given, **kind) for kind in ({"lifts": False}, {}, {"softer": 10.0}))
    here, usual = _ours(models, things), _ours(*scene(name, friction, LANDING_TIME))
    others = _off(usual, theirs), _off(here, as_is), _off(as_is, theirs), _off(soft, as_is)
    return Distances(_off(here, theirs), *(float(off.max()) for off in others))


def distances_as_usual(name: str, friction: float, step: float) -> tuple[np.ndarray, float]:
    """(t,) the same of contacts that land as usual, from MuJoCo's as it is; and soft."""
    models, things = scene(name, friction, LANDING_TIME)
    given = models, things, friction, INTERVAL, TIMES, step
    theirs = their_path(*given)
    return _off(_ours(models, things), theirs), float(_off(their_path(*given, softer=10.0), theirs).max())


def distances_by_law(name: str, friction: float) -> np.ndarray:
    """(t,) the same of contacts that land as usual, from where their law, written out as forces, has it."""
    models, things = scene(name, friction, LANDING_TIME)
    return _off(_ours(models, things), path_by_forces(models, things, friction, INTERVAL, TIMES))


def _ours(models: list[Model], things: list[Collider]) -> np.ndarray:
    return our_path(models, things, INTERVAL, TIMES, max_step=1 / 122880, tolerance=1e-7, newton_tolerance=1e-6)


def _off(path: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """(t,) of the farthest rod's end from the other path's, as a share of the longest way in that."""
    travel = np.linalg.norm(np.diff(beside, axis=0), axis=2).sum(axis=0).max()
    return np.asarray(np.linalg.norm(path - beside, axis=2).max(axis=1) / travel)
