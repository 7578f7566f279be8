# SPDX-License-Identifier: GPL-3.0-or-later
"""Our bodies as a MuJoCo model: a ball joint with one stiffness and one damping for each, or with three of both, whose
moments a callback gives."""

from xml.etree import ElementTree

import mujoco
import numpy as np

from solver.model.model import Bodies


def words(values) -> str:
    return " ".join(f"{x:.17g}" for x in np.ravel(values))


def mujoco_model(bodies: Bodies, step: float, integrator: str, gravity=(0.0, 0.0, -9.81)) -> mujoco.MjModel:
    """Raises ValueError when a joint's three stiffnesses differ, for which MuJoCo has no ball joint."""
    root = ElementTree.Element("mujoco")
    # Nothing here touches: contacts, limits and what else is not used is switched off so that no time goes into it.
    option = ElementTree.SubElement(
        root, "option", timestep=words(step), integrator=integrator, gravity=words(gravity)
    )  # fmt: skip
    ElementTree.SubElement(option, "flag", contact="disable", constraint="disable", actuation="disable")
    ElementTree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false", autolimits="true")
    add_bodies(ElementTree.SubElement(root, "worldbody"), bodies)
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))


def add_bodies(world: ElementTree.Element, bodies: Bodies) -> list[ElementTree.Element]:
    """Hang the bodies with their joints into the world; returns their elements. Raises as mujoco_model does."""
    if np.ptp(bodies.stiffness, axis=1).max() > 1e-12 * bodies.stiffness.max():
        raise ValueError("MuJoCo's ball joints have one stiffness")
    elements = [world]
    for i in range(len(bodies.parent)):
        m, c = bodies.mass[i], bodies.com[i]
        xx, xy, xz, yy, yz, zz = bodies.inertia[i]
        about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        about_com = about_joint - m * (c @ c * np.eye(3) - np.outer(c, c))
        body = ElementTree.SubElement(
            elements[bodies.parent[i] + 1], "body", pos=words(bodies.offset[i]), quat=words(bodies.rest[i])
        )
        ElementTree.SubElement(
            body, "inertial", pos=words(c), mass=words(m),
            fullinertia=words(about_com[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]),
        )  # fmt: skip
        stiffness = bodies.stiffness[i, 0]
        damping = bodies.damping_time[i] * stiffness + bodies.damping[i]
        ElementTree.SubElement(body, "joint", type="ball", stiffness=words(stiffness), damping=words(damping))
        elements.append(body)
    return elements[1:]


class UnequalSprings:
    """Moments of ball joints with springs K (n, 3) about their bodies' axes, the energy phi K phi / 2 of the rotation
    vector phi, and dampers D (n, 3)."""

    def __init__(self, K: np.ndarray, D: np.ndarray):
        self.K, self.D = K.T.copy(), D.T.copy()

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        q, u = data.qpos.reshape(-1, 4).T, data.qvel.reshape(-1, 3).T
        q = q * np.copysign(1.0, q[0])
        half = np.arctan2(np.sqrt((q[1:] ** 2).sum(axis=0)), q[0])
        phi = q[1:] * (2.0 / np.sinc(half / np.pi))
        pull = self.K * phi
        # The derivative of the rotation vector by a turn of the body, transposed (Chirikjian 2012, section 10.6).
        bend = _cross(phi, pull)
        wide = np.maximum(half, 1e-3)
        share = np.where(half < wide, 1.0 / 12.0 + half**2 / 180.0, (1.0 - wide / np.tan(wide)) / (4.0 * wide**2))
        data.qfrc_passive[:] = -(pull - 0.5 * bend + share * _cross(phi, bend) + self.D * u).T.ravel()


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of few vectors in columns (3, n), in a third of the time of NumPy's: it is asked for at every step of all."""
    (x, y, z), (u, v, w) = a, b
    return np.array((y * w - z * v, z * u - x * w, x * v - y * u))


class MujocoPlant:
    """The bodies in motion. A body's MuJoCo number may differ from ours: MuJoCo counts depth first."""

    def __init__(
        self, bodies: Bodies, step: float, integrator="discrete", gravity=(0.0, 0.0, -9.81), unequal: bool = False
    ):
        K, none = bodies.stiffness, np.zeros(len(bodies.parent))
        still = bodies._replace(stiffness=np.zeros_like(K), damping=none) if unequal else bodies
        self.model = mujoco_model(still, step, integrator, gravity)
        self.data = mujoco.MjData(self.model)
        order = np.argsort(_depth_first(bodies.parent))
        D = bodies.damping_time[:, None] * K + bodies.damping[:, None]
        self.springs = UnequalSprings(K[order], D[order]) if unequal else None
        self.number = _depth_first(bodies.parent)
        self.step = step

    def put(self, q: np.ndarray, u: np.ndarray) -> None:
        """Joint rotations (n, 4) w x y z and rates (n, 3) rad/s, by our numbers."""
        self.data.qpos[:].reshape(-1, 4)[self.number] = q
        self.data.qvel[:].reshape(-1, 3)[self.number] = u

    def run(self, steps: int) -> None:
        mujoco.set_mjcb_passive(self.springs)
        try:
            mujoco.mj_step(self.model, self.data, steps)
        finally:
            mujoco.set_mjcb_passive(None)

    def point(self, body: int, at: np.ndarray) -> np.ndarray:
        """World position of a point (3,) of our body, at the present coordinates."""
        mujoco.mj_kinematics(self.model, self.data)
        k = self.number[body] + 1
        return self.data.xpos[k] + self.data.xmat[k].reshape(3, 3) @ at


def _depth_first(parent: np.ndarray) -> np.ndarray:
    """(n,) place of every body when children follow their parent at once."""
    children: list[list[int]] = [[] for _ in range(len(parent) + 1)]
    for i, k in enumerate(parent):
        children[k].append(i)  # -1 is the last list
    number, ready = np.zeros(len(parent), dtype=np.int64), children[-1][::-1]
    count = 0
    while ready:
        i = ready.pop()
        number[i] = count
        count += 1
        ready.extend(children[i][::-1])
    return number
