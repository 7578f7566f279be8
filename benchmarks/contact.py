# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact: what it costs, beside MuJoCo and beside the same motion without it, in one run."""

import time
from xml.etree import ElementTree

import mujoco
import numpy as np

from benchmarks.machine import markdown
from solver import Collider, Model, Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import from_matrices
from tests.oracles.mujoco_model import words

STEP, FRAME = 1.0 / 240.0, 1.0 / 24.0
ONE_THREAD = Settings(max_step=STEP, threads=1)
GROUND = Collider("plane", friction=0.5)
STIFFNESS, DAMPING = 0.02, 2e-4

#: Time per step here over MuJoCo's, and with contact over without: what is asked for.
LYING_TARGET, PILE_TARGET = 1 / 4, 1 / 20


def chain(links: int, head, way, length=0.1, radius=0.01) -> Rods:
    """Straight, from a head (m) along a level way; nothing holds it once its first joint is cut."""
    y = np.asarray(way) / np.linalg.norm(way)
    frame = from_matrices(np.column_stack([np.cross(y, (0.0, 0.0, 1.0)), y, (0.0, 0.0, 1.0)])[None])
    heads = np.asarray(head) + np.arange(links)[:, None] * length * y
    return Rods(
        parent=np.arange(links) - 1, head=heads, frame=np.repeat(frame, links, axis=0), length=length,
        radius_base=radius, radius_tip=radius, young=1e9, density=500.0, friction=0.5, joint_damping=DAMPING,
        stiffness=np.full((links, 3), STIFFNESS),
    )  # fmt: skip


def in_mujoco(models: list[Model], among: bool) -> mujoco.MjModel:
    """The same chains, loose, on a plane; among: whether they touch each other."""
    root = ElementTree.Element("mujoco")
    option = {"integrator": "implicitfast", "solver": "CG", "cone": "elliptic"}
    ElementTree.SubElement(root, "option", timestep=words(STEP), gravity="0 0 -9.81", **option)
    world = ElementTree.SubElement(root, "worldbody")
    common = {"friction": words((0.5, 1e-9, 1e-9)), "condim": "3"}
    ElementTree.SubElement(world, "geom", type="plane", size="10 10 1", contype="1", conaffinity="3", **common)
    for model in models:
        parent, bodies, shapes = world, model.bodies, model.shapes
        for i in range(model.body_count):
            body = ElementTree.SubElement(parent, "body", pos=words(bodies.offset[i]), quat=words(bodies.rest[i]))
            if i == 0:
                ElementTree.SubElement(body, "freejoint")
            else:
                ElementTree.SubElement(body, "joint", type="ball", stiffness=words(STIFFNESS), damping=words(DAMPING))
            own = np.flatnonzero(shapes.body == i)[0]
            ElementTree.SubElement(
                body, "geom", type="capsule", size=words(shapes.radius[own, 0]),
                fromto=words(np.concatenate([shapes.start[own], shapes.end[own]])), mass=words(bodies.mass[i]),
                contype="2", conaffinity="3" if among else "1", **common,
            )  # fmt: skip
            parent = body
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))


def ours(
    models: list[Model], settled: float, measured: float, among: bool, together: bool
) -> tuple[float, float, int]:
    """Seconds per step, steps per second of motion, and points that touch, after so many seconds. among: whether they
    touch each other; together: whether their steps are the same, as MuJoCo's are."""
    plant = Simulation(models, ONE_THREAD, together=together)
    cut = np.concatenate([[1.0, *[0.0] * (model.rod_count - 1)] for model in models])
    sample = Sample(colliders=[GROUND], touches_itself=among, touches_others=among, cut=cut)
    plant.start(sample)
    for _ in range(round(settled / FRAME)):
        plant.advance(sample, FRAME)
    steps, begin = 0, time.process_time()
    for _ in range(round(measured / FRAME)):
        steps += plant.advance(sample, FRAME).steps
    seconds, systems = time.process_time() - begin, 1 if together else len(models)
    touched = plant.contacts()
    points = int((touched.collider >= 0).sum() + (touched.collider < 0).sum() // 2)
    return seconds * systems / steps, steps / systems / measured, points


def theirs(models: list[Model], settled: float, measured: float, among: bool) -> tuple[float, int]:
    """Seconds per step of MuJoCo, and its contacts."""
    model = in_mujoco(models, among)
    data = mujoco.MjData(model)
    for _ in range(round(settled / STEP)):
        mujoco.mj_step(model, data)
    steps, begin = round(measured / STEP), time.process_time()
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return (time.process_time() - begin) / steps, data.ncon


def lying_chain() -> list[Model]:
    """50 links on ball joints, each on two points of the plane."""
    return [discretize(chain(50, (0.0, 0.0, 0.0101), (1.0, 0.0, 0.0)), "base", segments=1)]


def lying() -> list[Model]:
    """50 sticks, each on two points of the plane."""
    rng = np.random.default_rng(0)
    places = [(0.4 * (k % 7), 0.4 * (k // 7), 0.0101) for k in range(50)]
    ways = [(np.cos(a), np.sin(a), 0.0) for a in rng.uniform(0.0, 6.28, 50)]
    return [discretize(chain(1, at, way, 0.2), "base", segments=1) for at, way in zip(places, ways, strict=True)]


def pile() -> list[Model]:
    """10 chains of 20 links, one above the other crosswise."""
    angles = np.arange(10) * 2.4
    ways = [np.array((np.cos(a), np.sin(a), 0.0)) for a in angles]
    return [
        discretize(chain(20, 0.03 * (k + 1) * np.array((0.0, 0.0, 1.0)) - 0.5 * way, way, 0.05), "base", segments=1)
        for k, way in enumerate(ways)
    ]


def peers_table(quick: bool) -> str:
    rows, settled, measured = [], 1.0 if quick else 3.0, 0.5 if quick else 2.0
    cases = (("50 links on ball joints that lie on a plane", lying_chain(), False, False, LYING_TARGET),
             ("50 single sticks that lie on a plane, in one step", lying(), False, True, LYING_TARGET),
             ("50 single sticks that lie on a plane, each in its own", lying(), False, False, LYING_TARGET),
             ("10 chains of 20 links in a pile", pile(), True, True, PILE_TARGET))  # fmt: skip
    for name, models, among, together, target in cases:
        own, steps, points = ours(models, settled, measured, among, together)
        other, contacts = theirs(models, settled, measured, among)
        ratio = f"{own / other:.2f} ({target:.2f})"
        rows.append([name, f"{points}", f"{contacts}", f"{1e6 * own:.0f}", f"{steps:.0f}", f"{1e6 * other:.0f}", ratio])
    return markdown(
        "Contact beside MuJoCo",
        ["scene", "points here", "contacts there", "µs here", "steps", "µs there", "ratio"],
        rows,
        "Loose bodies after they have come to rest, one core, processor time. µs per step; steps per second of motion "
        "here (MuJoCo: 240); time here over MuJoCo's with its conjugate gradients, in brackets what is asked for.",
    )
