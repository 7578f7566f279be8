# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of contact written out as forces, in short explicit steps, on MuJoCo's bodies and at the contacts that it
finds: without its solver for them, and without anything of ours but the shapes' stiffness."""

from collections.abc import Sequence

import mujoco
import numpy as np

from solver import Collider, Model

from .in_mujoco import InMujoco, in_mujoco

#: How much (s) before it touches a thing is braked; with what delay (s) friction follows the push; and what comes more
#: slowly than this (m/s) has friction at once.
RELAXATION, MEMORY, GENTLE = 2e-3, 5e-3, 0.1


class _Point:
    """What a contact remembers: the push (N) of which friction is a share, how far (m) it is drawn across."""

    def __init__(self) -> None:
        self.load, self.drawn, self.touches = 0.0, np.zeros(3), False

    def force(self, gap, n, speed, stiffness, friction, step) -> np.ndarray | None:
        """(3,) N on what parts along the normal n with a speed (3,) m/s; None where nothing touches, after which
        it is to be forgotten."""
        parting = n @ speed
        push = -stiffness * (gap + RELAXATION * parting)
        if push <= 0.0:
            return None
        if not self.touches and parting > -GENTLE:
            self.load = push
        else:
            self.load += -np.expm1(-step / MEMORY) * (push - self.load)
        self.touches = True
        across = speed - parting * n
        drawn = self.drawn - (self.drawn @ n) * n
        held = -stiffness * (drawn + RELAXATION * across)
        size, most = np.sqrt(held @ held), friction * self.load
        if size > most:
            held *= most / size
            drawn = -held / stiffness - RELAXATION * across
        self.drawn = drawn + step * across
        return push * n + held


def path_by_forces(
    models: Sequence[Model], things: Sequence[Collider], friction: float, interval: float, times: int, step=1e-5
) -> np.ndarray:
    """(times, m, 3) m where rods end, as `their_path`."""
    there = in_mujoco(models, things, friction, step, step, only_finds=True)
    data, path, points = mujoco.MjData(there.model), [], {}
    for _ in range(times):
        for _ in range(round(interval / step)):
            mujoco.mj_step1(there.model, data)
            points = _push(there, data, points, friction, step)
            mujoco.mj_step2(there.model, data)
        mujoco.mj_kinematics(there.model, data)
        path.append(there.tails(data))
    return np.array(path)


def _push(there: InMujoco, data, points, friction, step) -> dict:
    """Apply the forces of all contacts; returns those that touch."""
    model, touching = there.model, {}
    data.qfrc_applied[:] = 0.0
    contacts = data.contact
    for geoms, gap, at, frame in zip(contacts.geom.tolist(), contacts.dist, contacts.pos, contacts.frame, strict=True):
        one, other = geoms
        n = frame[:3]  # from one to the other
        is_upper = (at - data.geom_xpos[other]) @ data.geom_xmat[other].reshape(3, 3)[:, 2] > 0.0
        end = model.geom_type[one] != mujoco.mjtGeom.mjGEOM_SPHERE and is_upper  # a ball touches a rod once
        point = points.get((one, other, end)) or _Point()
        a, b = model.geom_bodyid[[one, other]].tolist()
        speed = _speed(model, data, b, at) - _speed(model, data, a, at)
        stiffness = _of_both(*there.stiffness[[one, other]])
        force = point.force(gap, n, speed, stiffness, friction, step)
        if force is None:
            continue
        touching[one, other, end] = point
        for body, sign in ((a, -1.0), (b, 1.0)):
            if body:
                mujoco.mj_applyFT(model, data, sign * force, np.zeros(3), at, body, data.qfrc_applied)
    return touching


def _of_both(one: float, other: float) -> float:
    """Stiffness (N/m) of two shapes, or of one and a thing."""
    return min(one, other) if np.inf in (one, other) else np.sqrt(one * other)


def _speed(model, data, body, at) -> np.ndarray:
    """(3,) m/s of a body at a point of the world."""
    turning, moving = data.cvel[body, :3], data.cvel[body, 3:]
    x, y, z = at - data.subtree_com[model.body_rootid[body]]
    u, v, w = turning
    return moving + np.array((v * z - w * y, w * x - u * z, u * y - v * x))
