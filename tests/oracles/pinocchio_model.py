# SPDX-License-Identifier: GPL-3.0-or-later
"""The same bodies in Pinocchio, which shares no code with us."""

import numpy as np
import pinocchio as pin


def xyzw(q):
    return pin.Quaternion(np.asarray(q)[[1, 2, 3, 0]])


def depth_first(parent):
    order, ready = [], list(np.flatnonzero(parent < 0)[::-1])
    while ready:
        order.append(ready.pop())
        ready += list(np.flatnonzero(parent == order[-1]))
    return order


class Reference:
    """The same bodies in Pinocchio, on a free-flying base whose motion is prescribed, or on the ground (base None);
    loose ones on free frames."""

    def __init__(self, bodies, joints, base, loads, frames=()):
        self.bodies, self.joints, self.loads = bodies, joints, loads
        n = len(bodies.parent)
        model = pin.Model()
        root = 0
        if base is not None:
            root = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
            model.appendBodyToJoint(root, pin.Inertia(1.0, np.zeros(3), np.eye(3)), pin.SE3.Identity())
        self.ids, shifts, on = [0] * n, {}, {frame.body: frame for frame in frames}
        for i in depth_first(bodies.parent):  # Pinocchio takes subtrees to be contiguous
            k = bodies.parent[i]
            placement = pin.SE3(xyzw(bodies.rest[i]).matrix(), bodies.offset[i])
            below = root if k < 0 else self.ids[k]
            if i in on:
                at = pin.SE3(xyzw(on[i].orientation).matrix(), on[i].place)
                below = shifts[i] = model.addJoint(0, pin.JointModelTranslation(), at, f"frame{i}")
            j = model.addJoint(below, pin.JointModelSpherical(), placement, f"joint{i}")
            xx, xy, xz, yy, yz, zz = bodies.inertia[i]
            c, m = bodies.com[i], bodies.mass[i]
            about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            about_com = about_joint - m * (c @ c * np.eye(3) - np.outer(c, c))
            model.appendBodyToJoint(j, pin.Inertia(m, c, about_com), pin.SE3.Identity())
            self.ids[i] = j
        model.gravity.linear = loads.gravity
        self.model, self.data = model, model.createData()

        moving = [*self.ids, *(shifts[frame.body] for frame in frames)]
        self.v_index = np.concatenate([np.arange(3) + model.joints[j].idx_v for j in moving])
        self.q, self.v = np.zeros(model.nq), np.zeros(model.nv)
        self.a_base = np.zeros(model.nv)
        if base is not None:
            R = xyzw(base[1]).matrix()
            w, velocity = R.T @ base[3, :3], R.T @ base[2, :3]
            # Pinocchio's accelerations are spatial: the classical one less w x v.
            linear = R.T @ base[4, :3] - np.cross(w, velocity)
            self.q[:7] = np.concatenate([base[0, :3], base[1, [1, 2, 3, 0]]])
            self.v[:6], self.a_base[:6] = np.concatenate([velocity, w]), np.concatenate([linear, R.T @ base[5, :3]])
        for i, j in enumerate(self.ids):
            self.q[model.joints[j].idx_q : model.joints[j].idx_q + 4] = joints.q[i, [1, 2, 3, 0]]
            self.v[model.joints[j].idx_v : model.joints[j].idx_v + 3] = joints.u[i]
        for frame in frames:
            first = model.joints[shifts[frame.body]].idx_v
            self.v[first : first + 3] = xyzw(frame.orientation).matrix().T @ frame.velocity
        pin.forwardKinematics(model, self.data, self.q, self.v)

    def external(self):
        """Forces and torques of the loads, pulls included, on every joint in its own frame."""
        loads = self.loads
        forces = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for i, j in enumerate(self.ids):
            R = self.data.oMi[j].rotation
            f = R.T @ loads.force[i]
            t = R.T @ loads.torque[i] + np.array([0.0, loads.twist[i], 0.0]) + np.cross(self.bodies.com[i], f)
            forces[j] += pin.Force(f, t)
        for k, i in enumerate(loads.pull_body):
            j, point = self.ids[i], loads.pull_point[k]
            at, moving = self.data.oMi[j], self.data.v[j]
            speed = at.rotation @ (moving.linear + np.cross(moving.angular, point))
            pull = loads.pull_stiffness[k] * (loads.pull_target[k] - at.act(point)) - loads.pull_damping[k] * speed
            f = at.rotation.T @ pull
            forces[j] += pin.Force(f, np.cross(point, f))
        std = pin.StdVec_Force()
        std.extend(forces)
        return std

    def stiffness(self):
        return self.bodies.stiffness * self.loads.stiffness_scale[0]

    def damping(self):
        return self.bodies.damping_time[:, None] * self.stiffness() + self.bodies.damping[:, None]

    def implicit_joints(self, c1, c2):
        """(v, v) what a step adds of joints: c1 B + c2 (k + J^T (K - k) J + |m| / 2), k being the least of K, J how the
        rotation vector changes with the joint's turn and m = K phi."""
        added = np.zeros((len(self.v_index), len(self.v_index)))
        for i, (q, K, B) in enumerate(zip(self.joints.q, self.stiffness(), self.damping(), strict=True)):
            R = xyzw(q).matrix()
            J, moment, own = pin.Jlog3(R), K * pin.log3(R), slice(3 * i, 3 * i + 3)
            stiff = J.T @ np.diag(K - K.min()) @ J + (K.min() + 0.5 * np.linalg.norm(moment)) * np.eye(3)
            added[own, own] = c1 * np.diag(B) + c2 * stiff
        return added

    def joint_torques(self):
        """Springs and dampers, (3 n,)."""
        torques = []
        for q, u, K, B in zip(self.joints.q, self.joints.u, self.stiffness(), self.damping(), strict=True):
            R = xyzw(q).matrix()
            torques.append(-pin.Jlog3(R).T @ (K * pin.log3(R)) - B * u)
        free = len(self.v_index) - 3 * len(self.ids)
        return np.concatenate([*torques, np.zeros(free)])

    def mass_and_bias(self, predicted):
        """M (3n, 3n) of the joints, and the torque missing at the predicted accelerations (3n,)."""
        M = pin.crba(self.model, self.data, self.q)
        M = np.triu(M) + np.triu(M, 1).T
        a = self.a_base.copy()
        a[self.v_index] = predicted.ravel()
        needed = pin.rnea(self.model, self.data, self.q, self.v, a, self.external())
        return M[np.ix_(self.v_index, self.v_index)], self.joint_torques() - needed[self.v_index]

    def aba(self):
        """Pinocchio's own articulated-body algorithm, for a plant on the ground."""
        torques = np.zeros(self.model.nv)
        torques[self.v_index] = self.joint_torques()
        return pin.aba(self.model, self.data, self.q, self.v, torques, self.external())[self.v_index]

    def tension(self):
        """(3n, 3n) stiffness of what forces stretch, after mass_and_bias: per body, of the arms to its mass, to the
        next joints and to handles, f.r (1 - r r^T / r^2) on its turn where the force f pulls along the arm r."""
        place = [self.data.oMi[j] for j in self.ids]
        carried = np.array([place[i].rotation @ self.data.f[j].linear for i, j in enumerate(self.ids)])
        own, total = carried.copy(), np.zeros((len(self.v_index), len(self.v_index)))
        arms = [[] for _ in self.ids]
        for i, k in enumerate(self.bodies.parent):
            if k >= 0:
                own[k] -= carried[i]
                arms[k].append((place[i].translation - place[k].translation, -carried[i]))
        for j, i in enumerate(self.loads.pull_body):
            point, moving = self.loads.pull_point[j], self.data.v[self.ids[i]]
            speed = place[i].rotation @ (moving.linear + np.cross(moving.angular, point))
            pull = self.loads.pull_stiffness[j] * (self.loads.pull_target[j] - place[i].act(point))
            pull -= self.loads.pull_damping[j] * speed
            own[i] += pull
            arms[i].append((place[i].rotation @ point, pull))
        for i, joint in enumerate(self.ids):
            arms[i].append((place[i].rotation @ self.bodies.com[i], -own[i]))
            held = sum(max(0.0, f @ r) * (np.eye(3) - np.outer(r, r) / (r @ r)) for r, f in arms[i])
            J = pin.getJointJacobian(self.model, self.data, joint, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[
                3:, self.v_index
            ]
            total += J.T @ held @ J
        return total

    def jacobian(self, body, arm):
        """(3, 3n) of a point at an arm (3,) m in world axes from the body's joint."""
        return self.spatial_jacobian(body, arm)[3:]

    def spatial_jacobian(self, body, arm):
        """(6, 3n) of the body's rotation, and of a point at an arm (3,) m in world axes from its joint."""
        pin.computeJointJacobians(self.model, self.data, self.q)
        J = pin.getJointJacobian(self.model, self.data, self.ids[body], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        return np.concatenate([J[3:], J[:3] - pin.skew(arm) @ J[3:]])[:, self.v_index]

    def places(self):
        """(n, 3) m of the bodies' joints."""
        pin.computeJointJacobians(self.model, self.data, self.q)
        return np.array([self.data.oMi[i].translation for i in self.ids])

    def pull_jacobians(self):
        """(3, 3n) of every pull's point."""
        pin.computeJointJacobians(self.model, self.data, self.q)
        for k, i in enumerate(self.loads.pull_body):
            j = self.ids[i]
            J = pin.getJointJacobian(self.model, self.data, j, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            e = self.data.oMi[j].rotation @ self.loads.pull_point[k]
            yield k, (J[:3] - pin.skew(e) @ J[3:])[:, self.v_index]


def relative(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()
