# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that open where they are bent too much, or are cut: what was above goes on with its own springs."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Bools, Floats, Ints
from ..base.checks import finite
from ..base.errors import SolverError
from ..data import columns as col
from ..data.rows import Rows, put_bodies
from ..joints.loose import STATE, TURNED, Loose, frames_for
from ..model.model import Bodies, Model
from ..world.base_motion import MovingBase
from .opening import HANGS, OFF, cut_joints

_NONE = np.zeros(0, dtype=np.int64)


class Broken(NamedTuple):
    """Joints that are not whole any more, of plants side by side.

    used (plants,): so many bodies are loose; body (k,): which ones of their plants; orientation (k, 4), state (k, 24):
    of their frames, see Loose; cracked (n,): what has become of the joints
    """

    used: Ints
    body: Ints
    orientation: Floats
    state: Floats
    cracked: Ints


def nothing_broken(plants: int, bodies: int) -> Broken:
    """That of whole plants."""
    return Broken(
        np.zeros(plants, dtype=np.int64), _NONE, np.zeros((0, 4)), np.zeros((0, STATE)),
        np.zeros(bodies, dtype=np.int64),
    )  # fmt: skip


def broken_of(broken: Broken, plants: tuple[int, int], bodies: tuple[int, int]) -> Broken:
    """That of plants and their bodies, from the first to before the last of each."""
    start = np.cumsum([0, *broken.used])
    own = slice(int(start[plants[0]]), int(start[plants[1]]))
    return Broken(
        broken.used[slice(*plants)].copy(), broken.body[own].copy(), broken.orientation[own].copy(),
        broken.state[own].copy(), broken.cracked[slice(*bodies)].copy(),
    )  # fmt: skip


class Breaking:
    """The joints of plants side by side, as long as they hold."""

    def __init__(self, model: Model, rows: Rows):
        self._model, self._rows = model, rows
        plants = len(rows.first_body) - 1
        self.breaks = np.logical_or.reduceat(np.isfinite(model.bodies.strength), rows.first_body[:-1])
        # Anything may break, or nothing of it comes off.
        self._most = np.where(self.breaks, np.diff(rows.first_body), 0)
        self.loose = frames_for(self._most, model.body_count)
        self._plants = plants
        self._shown: tuple[bytes, Model] | None = None
        self._of = model

    def mend(self) -> None:
        """Let all joints be whole."""
        if not self.loose.cracked.any():
            return
        bodies, parent = self._model.bodies, self._model.bodies.parent
        first = np.repeat(self._rows.first_body[:-1], np.diff(self._rows.first_body))
        self._rows.parent[:] = np.where(parent >= 0, parent - first, -1)
        for name in ("stiffness", "damping", "bend_limit", "twist_limit", "limit_stiffness", "strength"):
            put_bodies(self._rows, getattr(col, name.upper()), getattr(bodies, name))
        self.loose = frames_for(self._most, self._model.body_count)

    def to_cut(self, given: ArrayLike | None) -> Ints:
        """Bodies that hang on joints of the rods that are given (m,) and still hold.

        Raises SolverError for what is no such column, and for a rod without a joint.
        """
        if given is None:
            return _NONE
        bodies = self._joints_of(finite("cut", given, (self._model.rod_count,)) != 0.0)
        return bodies[self.loose.cracked[bodies] != OFF]

    def cut(self, bodies: Ints, bases: MovingBase, last_steps: Floats) -> None:
        """Let nothing hold these any more."""
        bodies = bodies[self.loose.cracked[bodies] != OFF]  # which may have come off since
        if len(bodies):
            plant = np.searchsorted(self._rows.first_body, bodies, "right") - 1
            self._make_room(np.bincount(plant, minlength=self._plants))
            cut_joints(bodies, self._rows, bases, self.loose, last_steps)

    def _joints_of(self, rods: Bools) -> Ints:
        """Bodies whose joints are the first ones of the rods (m,) bool. Raises SolverError for a rod without one."""
        joints = self._model.first_joint[rods]
        if (joints < 0).any():
            rod = int(np.flatnonzero(rods)[np.argmax(joints < 0)])
            raise SolverError("it has no joint of its own that could be cut", rod)
        return joints

    def of_rods(self) -> Ints:
        """(m,) what has become of their joints, the worst of each rod's."""
        worst, cracked = np.zeros(self._model.rod_count, dtype=np.int64), self.loose.cracked
        if cracked.any():
            np.maximum.at(worst, self._model.body_rod, cracked)
        return worst

    def shown(self, model: Model) -> Model:
        """The model, in which rods that have come off are carried by their first body from their base on."""
        cracked = self.loose.cracked
        if not cracked.any():
            return model
        off = (model.first_joint >= 0) & (cracked[model.first_joint] == OFF)
        if not off.any():
            return model
        key = off.tobytes()
        if self._shown is None or self._shown[0] != key or self._of is not model:
            head, below = np.zeros((len(off), 3)), np.where(off, model.first_joint, model.lower)
            head[:, 1] = -model.stub * model.length
            head = np.where(off[:, None], head, model.head)
            rest = np.where(off[:, None], (1.0, 0.0, 0.0, 0.0), model.rod_rest)
            self._of, self._shown = model, (key, replace(model, lower=below, head=head, rod_rest=rest))
        return self._shown[1]

    def _make_room(self, more: Ints) -> None:
        """Let there be frames for so many more (plants,) loose bodies."""
        old = self.loose
        need = old.used[:, 0] + more
        if (need <= np.diff(old.first)).all():
            return
        self._most = np.maximum(np.diff(old.first), need)
        self._put(self.state())

    def state(self) -> Broken:
        """What is not whole."""
        loose, (_, frames) = self.loose, _in_use(self.loose)
        return Broken(
            loose.used[:, 0].copy(), loose.body[frames], loose.now[frames, TURNED : TURNED + 4], loose.state[frames],
            loose.cracked.copy(),
        )  # fmt: skip

    def restore(self, broken: Broken) -> None:
        """Let nothing but this be broken."""
        self.mend()
        if not broken.cracked.any():
            return
        self._most = np.maximum(self._most, broken.used)
        self._put(broken)
        put_joints(self._rows, self._model.bodies, broken.cracked)
        plant, frames = _in_use(self.loose)
        self._rows.parent[self._rows.first_body[plant] + broken.body] = -2 - (frames - self.loose.first[plant])

    def _put(self, broken: Broken) -> None:
        """Fill new frames."""
        loose = self.loose = frames_for(self._most, self._model.body_count)
        loose.used[:, 0], loose.cracked[:] = broken.used, broken.cracked
        _, frames = _in_use(loose)
        loose.body[frames], loose.state[frames] = broken.body, broken.state
        loose.now[frames, TURNED : TURNED + 4] = broken.orientation


def put_joints(rows: Rows, bodies: Bodies, cracked: Ints) -> None:
    """Let joints be those of the bodies, as far as they hold: cracked (n,)."""
    hangs, off = cracked == HANGS, cracked == OFF
    share = np.where(hangs, bodies.fibres, np.where(off, 0.0, 1.0))
    put_bodies(rows, col.STIFFNESS, share[:, None] * bodies.stiffness)
    put_bodies(rows, col.DAMPING, share * bodies.damping)
    put_bodies(rows, col.STRENGTH, np.where(hangs | off, np.inf, bodies.strength))
    put_bodies(rows, col.LIMIT_STIFFNESS, np.where(off, 0.0, bodies.limit_stiffness))
    for name in ("bend_limit", "twist_limit"):
        put_bodies(rows, getattr(col, name.upper()), np.where(off, np.inf, getattr(bodies, name)))


def _in_use(loose: Loose) -> tuple[Ints, Ints]:
    """Plants and indices of the frames on which bodies hang."""
    if len(loose.used) == 1:
        used = int(loose.used[0, 0])
        return np.zeros(used, dtype=np.int64), np.arange(used)
    plant = np.repeat(np.arange(len(loose.used)), np.diff(loose.first))
    frames = np.flatnonzero(np.arange(len(plant)) - loose.first[plant] < loose.used[plant, 0])
    return plant[frames], frames
