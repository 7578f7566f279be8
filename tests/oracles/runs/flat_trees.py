# SPDX-License-Identifier: GPL-3.0-or-later
"""Random trees of elliptic, flat and grooved rods beside Pinocchio and MuJoCo."""

import numpy as np

from solver import Model, discretize, sections
from tests.oracles import rnea_crba
from tests.oracles.models import (
    Joints,
    accelerations,
    random_bodies,
    random_joints,
    random_loads,
    random_rods,
    still_base,
)
from tests.oracles.motions import straight, tip_path
from tests.oracles.mujoco_model import MujocoPlant
from tests.oracles.pinocchio_model import Reference, relative

RODS, YOUNG = 12, 1e8
#: s. Light damping, which an explicit integrator can follow at its steps; rad/s in each joint at the start, on average.
DAMPING_TIME, KICK = 2e-4, 1.0
#: Theirs of half the length differ by 1e-8 m; ours are halved where their error asks for it.
SECONDS, FPS, STEP, HALVINGS, THEIR_STEP = 2.0, 60, 1.0 / 3840.0, 8, 1.0 / 4800.0
#: rad in each joint, and the share of the tree's size that it must not have grown to: from then on it is chaos.
NUDGE, CHAOS = 1e-6, 1e-3


def random_tree(seed: int, layout: str, is_flat: bool = True) -> tuple[Model, np.random.Generator]:
    """A tree that bends to one side, and twists, far more easily, or a round one of the same rods; and what its motion
    is to be drawn from."""
    rng = np.random.default_rng(seed)
    kinds, n = rng.integers(1, 4, RODS), RODS
    section = sections.of_kinds(kinds, rng.uniform(1.5, 4.0, n), rng.choice([0.0, 8.0], n), np.full(n, 0.3))
    columns = {"section": section} if is_flat else {}
    return discretize(random_rods(rng, n, young=YOUNG, damping_time=DAMPING_TIME, **columns), layout), rng


def varied_tree(seed: int, layout: str) -> tuple[Model, np.random.Generator]:
    """A tree of 5, 9 or 12 rods, up to eight times as wide as thick, of 1 MPa to 10 GPa, that twist up to forty times
    more easily than they bend."""
    rng = np.random.default_rng([seed, 5])
    n = int(rng.choice([5, 9, 12]))
    kinds, aspect, twist = rng.integers(1, 4, n), rng.uniform(1.2, 8.0, n), rng.choice([0.0, 8.0, 40.0], n)
    section = sections.of_kinds(kinds, aspect, twist, np.full(n, 0.3))
    young = 10.0 ** rng.uniform(6.0, 10.0)
    return discretize(random_rods(rng, n, young=young, damping_time=DAMPING_TIME, section=section), layout), rng


def off_exact_of(model: Model, rng: np.random.Generator) -> tuple[float, float, float]:
    """Largest difference of the joints' accelerations, over the largest of them, from their equations of motion in
    extended precision: ours; that of Pinocchio's articulated-body algorithm; that of its mass matrix (conditioned by
    1e6 to 1e8) and torques, solved densely. In any pose and motion, under any loads."""
    bodies, joints, loads = model.bodies, random_joints(rng, model.body_count), random_loads(rng, model.body_count)
    exact = rnea_crba.accelerations(bodies, Joints(*(one.astype(np.longdouble) for one in joints)), loads)
    reference = Reference(bodies, joints, None, loads)
    M, missing = reference.mass_and_bias(np.zeros((model.body_count, 3)))
    ours = accelerations(bodies, joints, still_base(), loads).ravel()
    off = [float(relative(found, exact)) for found in (ours, reference.aba(), np.linalg.solve(M, missing))]
    return off[0], off[1], off[2]


def off_step_of(model: Model, rng: np.random.Generator, step: float) -> float:
    """The same of ours alone, of what corrects them at the end of a step (s), in which joints also resist."""
    n = model.body_count
    bodies, joints, loads = model.bodies, random_joints(rng, n), random_loads(rng, n)
    c1, c2 = step, step**2
    exact = rnea_crba.accelerations(bodies, Joints(*(one.astype(np.longdouble) for one in joints)), loads, c1, c2)
    return float(relative(accelerations(bodies, joints, still_base(), loads, c1, c2).ravel(), exact))


def off_pinocchio_of_bodies(seed: int) -> float:
    """The same of ours from Pinocchio's mass matrix, of general bodies, no shorter than wide, whose joints have three
    different stiffnesses."""
    rng = np.random.default_rng(seed)
    bodies, joints, loads = random_bodies(rng, RODS), random_joints(rng, RODS), random_loads(rng, RODS)
    M, missing = Reference(bodies, joints, None, loads).mass_and_bias(np.zeros((RODS, 3)))
    found = accelerations(bodies, joints, still_base(), loads)
    return float(relative(found.ravel(), np.linalg.solve(M, missing)))


def off_mujoco(seed: int) -> tuple[float, float]:
    """Largest distance of the last rod's tip from where MuJoCo has it, of the size of the space that it goes through;
    and for how many seconds they were compared: until a nudge of MuJoCo's own has grown, or to the end."""
    model, rng = random_tree(seed, "double_root")
    rates, times = KICK * rng.normal(size=(RODS, 3)), round(SECONDS * FPS)
    theirs, nudged = (mujoco_path(model, nudge, rates, times) for nudge in (0.0, NUDGE))
    size = np.ptp(theirs, axis=0).max()
    grown = np.linalg.norm(nudged - theirs, axis=1) > CHAOS * size
    compared = int(grown.argmax()) if grown.any() else times
    ours = tip_path(model, rates, STEP, times, 1.0 / FPS, halvings=HALVINGS)
    off = np.linalg.norm(ours - theirs, axis=1)[:compared] / size
    return float(off.max()), compared / FPS


def mujoco_path(model: Model, nudge: float, rates: np.ndarray, times: int) -> np.ndarray:
    """(times, 3) m, by MuJoCo's fourth-order integrator, all joints turned by so much (rad) at the start."""
    plant, q = MujocoPlant(model.bodies, THEIR_STEP, "RK4", unequal=True), straight(model)
    q[:, 1] = 0.5 * nudge
    plant.put(q, rates)
    path = []
    for _ in range(times):
        plant.run(round(1.0 / FPS / THEIR_STEP))
        path.append(plant.point(model.upper[-1], model.tail[-1]))
    return np.array(path)
