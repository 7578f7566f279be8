# SPDX-License-Identifier: GPL-3.0-or-later
"""Our bodies as a DART skeleton of ball joints, whose springs and dampers DART's step takes implicitly."""

import dartpy
import numpy as np
from scipy.spatial.transform import Rotation

from solver.model.model import Bodies


class DartPlant:
    """The bodies in motion, without shapes, so that no time goes into collisions."""

    def __init__(self, bodies: Bodies, step: float, gravity=(0.0, 0.0, -9.81)):
        self.step = step
        self.skeleton = dartpy.dynamics.Skeleton("plant")
        self._nodes = []
        for i in range(len(bodies.parent)):
            self._nodes.append(self._add_body(bodies, i))
        self.world = dartpy.simulation.World("world")
        self.world.setGravity(gravity)
        self.world.setTimeStep(step)
        deactivation = self.world.getDeactivationOptions()
        deactivation.mEnabled = False  # a plant that hardly moves would be left out
        self.world.setDeactivationOptions(deactivation)
        self.world.addSkeleton(self.skeleton)

    def _add_body(self, bodies: Bodies, i: int):
        properties = dartpy.dynamics.BallJointProperties()
        properties.mName = f"joint{i}"
        placement = np.eye(4)
        placement[:3, :3] = Rotation.from_quat(np.roll(bodies.rest[i], -1)).as_matrix()
        placement[:3, 3] = bodies.offset[i]
        properties.mT_ParentBodyToJoint = dartpy.math.Isometry3(placement)
        k = int(bodies.parent[i])
        parent = self._nodes[k] if k >= 0 else None
        joint, node = self.skeleton.createBallJointAndBodyNodePair(parent, properties)
        m, c = bodies.mass[i], bodies.com[i]
        xx, xy, xz, yy, yz, zz = bodies.inertia[i]
        about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        node.setInertia(dartpy.dynamics.Inertia(m, c, about_joint - m * (c @ c * np.eye(3) - np.outer(c, c))))
        for axis in range(3):
            stiffness = float(bodies.stiffness[i, axis])
            joint.setSpringStiffness(axis, stiffness)
            joint.setDampingCoefficient(axis, float(bodies.damping_time[i] * stiffness + bodies.damping[i]))
        return node

    def put(self, q: np.ndarray, u: np.ndarray) -> None:
        """Joint rotations (n, 4) w x y z and rates (n, 3) rad/s."""
        turns = Rotation.from_quat(np.roll(q, -1, axis=1)).as_rotvec()
        for node, turn, rate in zip(self._nodes, turns, u, strict=True):
            node.getParentJoint().setPositions(turn)
            node.getParentJoint().setVelocities(rate)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.world.step()

    def point(self, body: int, at: np.ndarray) -> np.ndarray:
        """World position of a point (3,) of a body."""
        return self._nodes[body].getWorldTransform().multiply(at)
