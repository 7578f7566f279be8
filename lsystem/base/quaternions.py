# SPDX-License-Identifier: GPL-3.0-or-later
"""Unit quaternions (w, x, y, z): tuples of floats for the turtle's one-at-a-time steps, and (n, 4) of many frames."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np

from .arrays import Floats, Integers

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]
Part = TypeVar("Part", float, Floats)

START: Quaternion = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
"""The turtle's first frame: x right, y along H = +z, z along U = -y."""
HALF_TURN: Quaternion = (0.0, 0.0, 0.0, 1.0)
"""About the local z axis."""
_OPPOSITE = 1e-12


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation that does ``b`` first, then ``a``; normalised, so that long products do not drift."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    w = aw * bw - ax * bx - ay * by - az * bz
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by - ax * bz + ay * bw + az * bx
    z = aw * bz + ax * by - ay * bx + az * bw
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * scale, x * scale, y * scale, z * scale


@lru_cache(maxsize=4096)
def about_axis(axis: int, degrees: float) -> Quaternion:
    """The rotation about the local x (0), y (1) or z (2) axis."""
    half = math.radians(math.fmod(degrees, 720.0)) / 2.0
    sine = math.sin(half)
    return (
        math.cos(half),
        sine if axis == 0 else 0.0,
        sine if axis == 1 else 0.0,
        sine if axis == 2 else 0.0,
    )


def rotate(q: Quaternion, v: Vector) -> Vector:
    """The vector ``v`` turned by ``q``."""
    w, x, y, z = q
    vx, vy, vz = v
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    return vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx


def heading(q: Iterable[Part]) -> tuple[Part, Part, Part]:
    """The local y axis, where a segment leads; also of four arrays."""
    w, x, y, z = q
    return 2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)


def part_way(q: Quaternion, other: Quaternion, share: float) -> Quaternion:
    """The frame turned by a share of the way to another one, by the least angle."""
    w, x, y, z = multiply((q[0], -q[1], -q[2], -q[3]), other)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = math.sqrt(x * x + y * y + z * z)
    if not size:
        return other
    half = share * math.atan2(size, w)
    scale = math.sin(half) / size
    return multiply(q, (math.cos(half), x * scale, y * scale, z * scale))


def levelled(q: Quaternion) -> Quaternion:
    """The frame rolled about its y axis until its x axis is horizontal and its z axis points upwards.

    As ABOP, section 3.3: L = V x H / |V x H|. A vertical frame stays.
    """
    return rolled(q, (0.0, 0.0, 1.0))


def rolled(q: Quaternion, upper: Vector) -> Quaternion:
    """The frame rolled about its y axis until its z axis points as nearly as it can in a direction of any length.

    One whose y axis does so itself stays.
    """
    hx, hy, hz = rotate(q, (0.0, 1.0, 0.0))
    x, y, z = upper
    rx, ry, rz = hy * z - hz * y, hz * x - hx * z, hx * y - hy * x
    size = math.sqrt(rx * rx + ry * ry + rz * rz)
    if size < 1e-9 * math.sqrt(x * x + y * y + z * z) or not size:
        return q
    wanted = (rx / size, ry / size, rz / size)
    right, up = rotate(q, (1.0, 0.0, 0.0)), rotate(q, (0.0, 0.0, 1.0))
    cosine = sum(a * b for a, b in zip(wanted, right, strict=True))
    sine = -sum(a * b for a, b in zip(wanted, up, strict=True))
    half = 0.5 * math.atan2(sine, cosine)
    return multiply(q, (math.cos(half), 0.0, math.sin(half), 0.0))


def bent_towards(q: Quaternion, tropism: tuple[float, float, float, float], share: float = 1.0) -> Quaternion:
    """The frame turned by a share of a tropism (direction T and elasticity e): by e |H x T| radians about H x T."""
    hx, hy, hz = rotate(q, (0.0, 1.0, 0.0))
    tx, ty, tz, elasticity = tropism
    x, y, z = hy * tz - hz * ty, hz * tx - hx * tz, hx * ty - hy * tx
    size = math.sqrt(x * x + y * y + z * z)
    if size < 1e-12:
        return q
    half = 0.5 * (elasticity * share) * size
    scale = math.sin(half) / size
    return multiply((math.cos(half), x * scale, y * scale, z * scale), q)


def headed(q: Quaternion, direction: Vector) -> Quaternion:
    """The frame turned by the least angle so that its y axis has a direction; a direction of no length is up."""
    x, y, z = direction
    size = math.sqrt(x * x + y * y + z * z)
    aim = (x / size, y / size, z / size) if size else (0.0, 0.0, 1.0)
    w, qx, qy, qz = q
    return multiply(q, shortest_arc(rotate((w, -qx, -qy, -qz), aim)))


def shortest_arc(direction: Vector) -> Quaternion:
    """The rotation by the least angle that takes the local y axis to a unit vector."""
    x, y, z = direction
    if y < -1.0 + 1e-12:
        return HALF_TURN
    # (1 + d . y, y x d), normalised
    w, qx, qz = 1.0 + y, z, -x
    scale = 1.0 / math.sqrt(w * w + qx * qx + qz * qz)
    return w * scale, qx * scale, 0.0, qz * scale


def from_axes(x: Sequence[float], y: Sequence[float], z: Sequence[float]) -> Quaternion:
    """The rotation that takes the coordinate axes to three orthonormal vectors."""
    w = 1.0 + x[0] + y[1] + z[2]
    if w > 0.1:
        q = (w, y[2] - z[1], z[0] - x[2], x[1] - y[0])
    elif x[0] >= y[1] and x[0] >= z[2]:
        q = (y[2] - z[1], 1.0 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2])
    elif y[1] >= z[2]:
        q = (z[0] - x[2], x[1] + y[0], 1.0 + y[1] - x[0] - z[2], y[2] + z[1])
    else:
        q = (x[1] - y[0], z[0] + x[2], y[2] + z[1], 1.0 + z[2] - x[0] - y[1])
    scale = 1.0 / math.sqrt(sum(float(part) * float(part) for part in q))
    return float(q[0]) * scale, float(q[1]) * scale, float(q[2]) * scale, float(q[3]) * scale


def products(a: Floats, b: Floats) -> Floats:
    """(n, 4) the rotations that do ``b`` first, then ``a``."""
    aw, ax, ay, az = a.T
    bw, bx, by, bz = b.T
    result: Floats = np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=1,
    )
    return result / np.linalg.norm(result, axis=1, keepdims=True)


def shortest_arcs(a: Floats, b: Floats) -> Floats:
    """(n, 4) the rotations by the least angles that take unit vectors (n, 3) to others; half turns about anything
    across where these are opposite."""
    cosine = (a * b).sum(axis=1)
    result = np.concatenate([1.0 + cosine[:, None], np.cross(a, b)], axis=1)
    opposite = np.flatnonzero(cosine < _OPPOSITE - 1.0)
    if len(opposite):
        across = np.cross(a[opposite], np.eye(3)[np.abs(a[opposite]).argmin(axis=1)])
        result[opposite] = np.concatenate([np.zeros((len(opposite), 1)), across], axis=1)
    return result / np.linalg.norm(result, axis=1, keepdims=True)


def about_y(radians: Floats) -> Floats:
    """(n, 4) rotations about the local y axis."""
    zero = np.zeros_like(radians)
    return np.stack([np.cos(0.5 * radians), zero, np.sin(0.5 * radians), zero], axis=1)


def column(q: Floats, axis: int) -> Floats:
    """(n, 3) where the local x (0), y (1) or z (2) axis leads."""
    w, x, y, z = q.T
    if axis == 0:
        parts = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)
    elif axis == 1:
        parts = 2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)
    else:
        parts = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
    return np.stack(parts, axis=1)


def carried_along(turns: Floats, before: Integers) -> Floats:
    """(n, 4) frames that are each the one before it turned in the world by ``turns`` (n, 4).

    before: (n) its number, or -1 where the turn is the frame itself. The way to those is halved again and again.
    """
    frames, before = turns.copy(), before.copy()
    while len(left := np.flatnonzero(before >= 0)):
        frames[left] = products(frames[left], frames[before[left]])
        before[left] = before[before[left]]
    return frames
