# SPDX-License-Identifier: GPL-3.0-or-later
"""What a law that is linear in one body's own motion adds to its inertia, so that it is implicit and limits no step."""

from ..data import columns as col
from ..data.lanes import add6, add9
from ..machine.jit import inlined
from ..math.vectors import dot

#: m2: an arm shorter than its root has no direction.
SHORTEST2 = 1e-60


@inlined
def stretched(arm, force):
    """Stiffness (N m/rad, a symmetric matrix) that a force at an arm's end has against turning it: its geometric
    stiffness where it stretches the arm, nothing where it compresses it, so that inertias stay positive definite."""
    x, y, z = arm
    f = dot(arm, force)
    length2 = dot(arm, arm)
    along = (f if f > 0.0 else 0.0) / (length2 if length2 > SHORTEST2 else SHORTEST2)
    return (
        along * (y * y + z * z), -along * x * y, -along * x * z,
        along * (x * x + z * z), -along * y * z, along * (x * x + y * y),
    )  # fmt: skip


@inlined
def add_point(data, b, lane, e, G):
    """Add what resists the acceleration of the point e from the joint by G, a symmetric matrix."""
    x, y, z = e
    # [e] G, and -[e] G [e].
    rt = (
        y * G[2] - z * G[1], y * G[4] - z * G[3], y * G[5] - z * G[4],
        z * G[0] - x * G[2], z * G[1] - x * G[4], z * G[2] - x * G[5],
        x * G[1] - y * G[0], x * G[3] - y * G[1], x * G[4] - y * G[2],
    )  # fmt: skip
    rr = (
        y * rt[2] - z * rt[1], z * rt[0] - x * rt[2], x * rt[1] - y * rt[0],
        z * rt[3] - x * rt[5], x * rt[4] - y * rt[3], x * rt[7] - y * rt[6],
    )  # fmt: skip
    add6(data, b, col.IA_RR + lane, rr)
    add9(data, b, col.IA_RT + lane, rt)
    add6(data, b, col.IA_TT + lane, G)


@inlined
def add_line(data, b, lane, turn, shift, g):
    """Add what resists an acceleration by g along one direction: of a turn, with a shift of the joint."""
    x, y, z = turn
    gx, gy, gz = g * x, g * y, g * z
    u, v, w = shift
    add6(data, b, col.IA_RR + lane, (gx * x, gx * y, gx * z, gy * y, gy * z, gz * z))
    add9(data, b, col.IA_RT + lane, (gx * u, gx * v, gx * w, gy * u, gy * v, gy * w, gz * u, gz * v, gz * w))
    add6(data, b, col.IA_TT + lane, (g * u * u, g * u * v, g * u * w, g * v * v, g * v * w, g * w * w))
