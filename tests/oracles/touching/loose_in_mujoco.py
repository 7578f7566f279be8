# SPDX-License-Identifier: GPL-3.0-or-later
"""Balls and capsules that nothing holds, in MuJoCo and here: where they are by equal times."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

import mujoco
import numpy as np

from solver import Collider, Sample, Settings, Simulation, solid
from solver.model.solids import Kind

from ..mujoco_model import words
from .in_mujoco import DAMPED, KINDS, PUSHES, STEP

#: How softly contacts land (s) here; and gravity (m/s2), aslant.
HARD, GRAVITY = 2e-5, (3.0, 1.0, -9.0)


class Loose(NamedTuple):
    """A ball or capsule of a size (m) and density (kg/m3) that is let go at a place (m), turned."""

    kind: Kind
    size: tuple[float, ...]
    density: float
    place: tuple[float, float, float]
    turn: tuple[float, float, float, float]


def their_places(
    loose: Sequence[Loose], things: Sequence[Collider], friction: float, interval: float, times: int
) -> np.ndarray:
    """(times, m, 3) m of their middles."""
    root = ElementTree.Element("mujoco")
    option = {"integrator": "implicitfast", "solver": "Newton", "cone": "elliptic", "impratio": "1000"}
    ElementTree.SubElement(root, "option", timestep=words(STEP), gravity=words(GRAVITY), tolerance="1e-12", **option)
    world = ElementTree.SubElement(root, "worldbody")
    common = {
        "condim": "3", "friction": words((max(friction, 1e-9), 1e-9, 1e-9)),
        "solref": words((PUSHES, DAMPED)), "solimp": "0.999 0.9999 1e-5",
    }  # fmt: skip
    for thing in things:
        size = {"plane": (10.0, 10.0, 1.0)}.get(thing.kind, thing.size)
        ElementTree.SubElement(
            world, "geom", type=KINDS[thing.kind], size=words(size), pos=words(thing.position), **common
        )
    for one in loose:
        body = ElementTree.SubElement(world, "body", pos=words(one.place), quat=words(one.turn))
        ElementTree.SubElement(body, "freejoint")
        # Here capsules are along y, there along z.
        ElementTree.SubElement(
            body, "geom", type="sphere" if one.kind == "ball" else "capsule", size=words(one.size),
            quat=words((0.5**0.5, -(0.5**0.5), 0.0, 0.0)), density=words(one.density), **common,
        )  # fmt: skip
    model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    data, path = mujoco.MjData(model), []
    for _ in range(times):
        mujoco.mj_step(model, data, round(interval / STEP))
        path.append(data.qpos.reshape(-1, 7)[:, :3].copy())
    return np.array(path)


def our_places(
    loose: Sequence[Loose], things: Sequence[Collider], friction: float, interval: float, times: int
) -> np.ndarray:
    """The same here."""
    models = [
        solid(one.kind, one.size, density=one.density, friction=friction, landing_time=HARD) for one in loose
    ]
    fine = Settings(max_step=1 / 122880, tolerance=1e-7, newton_tolerance=1e-6)
    plant, path, turns = Simulation(models, fine, together=True), [], np.array([one.turn for one in loose])
    sample = Sample(
        [one.place for one in loose], base_orientation=turns / np.linalg.norm(turns, axis=1)[:, None],
        colliders=list(things), gravity=GRAVITY, touches_others=len(loose) > 1, cut=np.ones(len(loose)),
    )  # fmt: skip
    plant.start(sample)
    for _ in range(times):
        plant.advance(sample, interval)
        path.append(plant.rod_heads())
    return np.array(path)
