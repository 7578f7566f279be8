# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that touch things and each other, in MuJoCo and here: paths of their rods' ends by equal times."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

import mujoco
import numpy as np

from solver import Collider, Model, Sample, Settings, Simulation

from ..mujoco_model import add_bodies, words

GRAVITY = (0.0, 0.0, -9.81)

#: MuJoCo's step (s), how soon (s) its contacts push out what is inside, and how damped: nearly rigid, without bounce.
STEP, PUSHES, DAMPED = 1e-5, 1e-4, 2.0

#: MuJoCo's friction is Coulomb's to this share of the largest acceleration, or after so many solves of a step, of which
#: the first ones go the whole way and the others half of it.
ENOUGH, MOST_SOLVES, WHOLE = 1e-5, 30, 5

#: What is nearer than this (m) is found where contacts are only found.
FOUND = 0.005

KINDS = {"plane": "plane", "ball": "sphere", "box": "box"}


class InMujoco(NamedTuple):
    """Plants and things in MuJoCo. ends: body and place (3,) m in it at which rods end; stiffness: of geoms, N/m here,
    infinite for things."""

    model: mujoco.MjModel
    ends: list[tuple[int, np.ndarray]]
    stiffness: np.ndarray

    def tails(self, data: mujoco.MjData) -> np.ndarray:
        """(m, 3) m where rods end, in the world."""
        return np.array([data.xpos[k] + data.xmat[k].reshape(3, 3) @ at for k, at in self.ends])


def in_mujoco(
    models: Sequence[Model], things: Sequence[Collider], friction: float, step: float, pushes: float, only_finds=False
) -> InMujoco:
    """Plants touch things, and rods of other plants; rods have one radius each.

    pushes (s): how slowly contacts push out what is inside; only_finds: contacts are found and have no forces
    """
    root = ElementTree.Element("mujoco")
    option = {"integrator": "implicitfast", "solver": "Newton", "cone": "elliptic", "impratio": "1000"}
    ElementTree.SubElement(root, "option", timestep=words(step), gravity=words(GRAVITY), tolerance="1e-12", **option)
    ElementTree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false", autolimits="true")
    world = ElementTree.SubElement(root, "worldbody")
    common = {
        "condim": "3", "friction": words((max(friction, 1e-9), 1e-9, 1e-9)),
        "solref": words((pushes, DAMPED)), "solimp": "0.999 0.9999 1e-5",
    }  # fmt: skip
    if only_finds:
        common |= {"margin": words(-1.0), "gap": words(1.0 + FOUND)}
    for thing in things:
        size = {"plane": (10.0, 10.0, 1.0)}.get(thing.kind, thing.size)
        ElementTree.SubElement(
            world, "geom", type=KINDS[thing.kind], size=words(size), pos=words(thing.position),
            quat=words(thing.orientation), contype="1", conaffinity="0", **common,
        )  # fmt: skip
    ends, bodies, stiffness = [], 1, [np.full(len(things), np.inf)]
    for plant, model in enumerate(models):
        elements, shapes = add_bodies(world, model.bodies), model.shapes
        for k, body in enumerate(shapes.body.tolist()):
            ElementTree.SubElement(
                elements[body], "geom", type="capsule", size=words(shapes.radius[k, 0]),
                fromto=words(np.concatenate([shapes.start[k], shapes.end[k]])), mass="0",
                contype=str(2 << plant), conaffinity=str(1 + sum(2 << other for other in range(plant))), **common,
            )  # fmt: skip
        ends += [(bodies + int(model.upper[rod]), model.tail[rod]) for rod in range(model.rod_count)]
        bodies += len(elements)
        stiffness.append(shapes.stiffness)
    made = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    return InMujoco(made, ends, np.concatenate(stiffness))


def their_path(
    models: Sequence[Model], things: Sequence[Collider], friction: float, interval: float, times: int, step=STEP,
    softer=1.0, lifts=True,
) -> np.ndarray:
    """(times, m, 3) m where rods end. softer: so much more slowly contacts push out what is inside; lifts: whether what
    slides is lifted, as MuJoCo does, or has Coulomb's friction alone."""
    there = in_mujoco(models, things, friction, step, softer * PUSHES * step / STEP)
    data, path = mujoco.MjData(there.model), []
    for _ in range(times):
        if lifts or friction == 0.0:
            mujoco.mj_step(there.model, data, round(interval / step))
        else:
            for _ in range(round(interval / step)):
                mujoco.mj_step1(there.model, data)
                _take_lift_away(there.model, data, friction)
                mujoco.mj_step2(there.model, data)
        mujoco.mj_kinematics(there.model, data)
        path.append(there.tails(data))
    return np.array(path)


def _take_lift_away(model: mujoco.MjModel, data: mujoco.MjData, friction: float) -> None:
    """Let all contacts of the step that mj_step1 has begun have Coulomb's friction.

    MuJoCo's friction is convex: a contact that slides wants to part by friction times what it slides as well. That is
    taken off what is wanted along the normal, found by solves that go on from each other (De Saxce and Feng 1998)."""
    normal = data.contact.efc_address[data.contact.efc_address >= 0]
    if len(normal) == 0:
        return
    mujoco.mj_fwdActuation(model, data)
    mujoco.mj_fwdAcceleration(model, data)
    wanted, lift, acceleration = data.efc_aref[normal].copy(), np.zeros(len(normal)), np.empty(data.nefc)
    for k in range(MOST_SOLVES):
        data.efc_aref[normal] = wanted - lift
        mujoco.mj_fwdConstraint(model, data)
        mujoco.mj_mulJacVec(model, data, acceleration, data.qacc)
        missed = acceleration - data.efc_aref
        slides = np.hypot(missed[normal + 1], missed[normal + 2])
        before, lift = lift, lift + (1.0 if k < WHOLE else 0.5) * (friction * slides - lift)
        if np.abs(lift - before).max() <= ENOUGH * np.abs(wanted).max():
            return


def our_path(
    models: Sequence[Model], things: Sequence[Collider], interval: float, times: int, **settings
) -> np.ndarray:
    """The same here."""
    plant = Simulation(list(models), Settings(**settings), together=len(models) > 1)
    sample = Sample(colliders=list(things), gravity=GRAVITY, touches_others=len(models) > 1)
    plant.start(sample)
    path = []
    for _ in range(times):
        plant.advance(sample, interval)
        path.append(plant.rod_tails())
    return np.array(path)
