# SPDX-License-Identifier: GPL-3.0-or-later
"""An exact elastic rod to measure against: Kirchhoff's equations, integrated and shot at by SciPy."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root
from scipy.spatial.transform import Rotation

#: A straight metre along the world's x, its frame's y.
HORIZONTAL = (Rotation.from_quat([0.0, 0.0, -(0.5**0.5), 0.5**0.5]), 1.0)
_NOTHING = (0.0, 0.0, 0.0)


def kirchhoff(pieces, force, torque=_NOTHING, line_weight=_NOTHING, stiffness=(1.0, 1.0 / 1.3, 1.0), steps=2):
    """Tip position and frame of an inextensible Kirchhoff rod made of straight pieces ((rotation, length), ...).

    Each piece's rotation turns its frame (rod along y) into the world's at rest. Integrated from the clamp, with the
    clamp's moment found by shooting while the loads grow in steps; stiffness (bend, twist, bend).
    """
    force, torque, weight = (np.asarray(v, dtype=float) for v in (force, torque, line_weight))
    total = sum(length for _, length in pieces)

    def tip(clamp, share):
        r, frame, m, done = np.zeros(3), pieces[0][0], clamp, 0.0
        for k, (rotation, length) in enumerate(pieces):
            if k:
                frame = frame * (pieces[k - 1][0].inv() * rotation)

            def slope(s, y, done=done):
                R = y[3:12].reshape(3, 3)
                kx, ky, kz = (R.T @ y[12:]) / stiffness
                bent = R @ np.array([[0.0, -kz, ky], [kz, 0.0, -kx], [-ky, kx, 0.0]])
                inner = force + weight * (total - done - s)
                return np.concatenate([R[:, 1], bent.ravel(), -np.cross(R[:, 1], share * inner)])

            start = np.concatenate([r, frame.as_matrix().ravel(), m])
            end = solve_ivp(slope, (0.0, length), start, "DOP853", rtol=1e-9, atol=1e-10).y[:, -1]
            r, frame, m, done = end[:3], Rotation.from_matrix(end[3:12].reshape(3, 3)), end[12:], done + length
        return r, frame, m

    clamp = np.zeros(3)
    for share in np.linspace(0.0, 1.0, steps + 1)[1:]:
        found = root(lambda c, share=share: tip(c, share)[2] - share * torque, clamp, tol=1e-9)
        assert np.abs(found.fun).max() < 1e-8, found.message
        clamp = found.x
    return tip(clamp, 1.0)[:2]
