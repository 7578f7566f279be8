# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass, centre of mass and inertia of bodies that are made of slices of rods welded together."""

from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Ints
from ..cross_sections.tapered import Piece, piece_of_rod
from ..math.rotations import conjugate, matrices, multiply, rotate, unrotate
from .rods import Rods

#: A joint and all that it carries, stretched out, resist spinning by at least this share of what they resist swinging.
#: Only threads longer than 40 000 times their radius lack any of it, into however many bodies they are cut.
THINNEST = 1e-9

#: And a body alone by this share, so that no joint in a row has nothing of its own.
LEAST_OF_ONE = 1e-12


class Slices(NamedTuple):
    """Slices of rods, each part of one body: body, rod (k,); y0, y1 (k,) m from the rod's base."""

    body: Ints
    rod: Ints
    y0: Floats
    y1: Floats


def mass_properties(
    rods: Rods, frame: Floats, slices: Slices, position: Floats, orientation: Floats
) -> tuple[Floats, Floats, Floats]:
    """mass (n,), com (n, 3), inertia (n, 6) about the joint, both in the body's frame, of everything welded to it.

    frame (m, 4): the rods'; position (n, 3) and orientation (n, 4): the bodies', all in the base's frame.
    """
    n = len(position)
    body, rod = slices.body, slices.rod
    m, center, about_com = slice_masses(rods, slices)
    at = unrotate(orientation[body], rods.array("head")[rod] + rotate(frame[rod], center) - position[body])
    r = matrices(multiply(conjugate(orientation[body]), frame[rod]))
    spin = r @ about_com @ r.transpose(0, 2, 1)
    parallel = (at * at).sum(axis=1)[:, None, None] * np.eye(3) - at[:, :, None] * at[:, None, :]
    about_joint = (spin + m[:, None, None] * parallel)[:, (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)]
    mass = np.asarray(np.bincount(body, m, n), dtype=np.float64)
    com = _sum_of(body, m[:, None] * at, n) / mass[:, None]
    return mass, np.ascontiguousarray(com), np.ascontiguousarray(_sum_of(body, about_joint, n))


def displaced_volume(rods: Rods, slices: Slices, n: int) -> Floats:
    """(n,) m3: what the bodies displace, hollows included."""
    r0, r1, length = (rods.array(name)[slices.rod] for name in ("radius_base", "radius_tip", "length"))
    solid = piece_of_rod(np.ones_like(r0), np.zeros_like(r0), r0, r1, length, slices.y0, slices.y1)
    volume = solid.mass * rods.array("section")[slices.rod, 3]
    return np.asarray(np.bincount(slices.body, volume, n), dtype=np.float64)


def _sum_of(body: Ints, rows: Floats, n: int) -> Floats:
    return np.stack([np.bincount(body, rows[:, k], n) for k in range(rows.shape[1])], axis=1)


def slice_masses(rods: Rods, slices: Slices) -> tuple[Floats, Floats, Floats]:
    """mass (k,), centre of mass (k, 3) in the rod's frame, inertia (k, 3, 3) about it; explicit values win."""
    which = slices.rod
    names = ("density", "hollow", "radius_base", "radius_tip", "length")
    density, hollow, r0, r1, length = (rods.array(name)[which] for name in names)
    piece, section = piece_of_rod(density, hollow, r0, r1, length, slices.y0, slices.y1), rods.array("section")[which]
    piece = piece._replace(mass=piece.mass * section[:, 3])
    mass = np.where(np.isfinite(rods.array("mass")[which]), rods.array("mass")[which], piece.mass)
    share = mass / piece.mass  # an explicit mass alone keeps the cylinder's shape
    center = np.zeros((len(which), 3))
    center[:, 1] = piece.center
    own_com = np.isfinite(rods.array("com")[which]).all(axis=1)
    center = np.where(own_com[:, None], rods.array("com")[which], center)
    diagonal = _about_center(piece, section) * share[:, None]
    squares = center**2
    to_com = mass[:, None] * (squares.sum(axis=1)[:, None] - squares)
    own_inertia = np.isfinite(rods.array("inertia")[which]).all(axis=1)
    diagonal = np.where(own_inertia[:, None], rods.array("inertia")[which] - to_com, diagonal)
    about_com = diagonal[:, :, None] * np.eye(3)
    # An explicit inertia is diagonal about the joint, so off the axis the products of inertia go back to the centre.
    products = mass[:, None, None] * center[:, :, None] * center[:, None, :] * (1.0 - np.eye(3))
    return mass, center, about_com + np.where(own_inertia[:, None, None], products, 0.0)


def _about_center(piece: Piece, section: Floats) -> Floats:
    """(k, 3) kg m2 of pieces with sections (k, 9) about the axes of their rods."""
    across = 0.5 * piece.axial  # of a round one: the second moment of the mass about either axis of the section
    x, z = across * section[:, 4], across * section[:, 5]
    along = (piece.transverse - across) * section[:, 3]
    return np.stack([along + x, x + z, along + z], axis=1)


def missing_inertia(parent: Ints, offset: Floats, mass: Floats, com: Floats, inertia: Floats) -> Floats:
    """(n,) kg m2 that inertia (n, 6) lacks about all axes to be told from that of all that hangs on the joint: see
    THINNEST.

    A thread of a metre and a micron resists spinning about itself 1e12 times less than swinging. Sums in world axes
    carry 16 digits of the larger number, so that what is left of the smaller one is noise, and may be negative.
    """
    own = np.linalg.eigvalsh(inertia[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(-1, 3, 3))
    weight = mass.tolist()
    moment = (mass * np.linalg.norm(com, axis=1)).tolist()
    swing, spin = own[:, 2].tolist(), own[:, 0].tolist()  # in a straight line, which nothing can be longer than
    step = np.linalg.norm(offset, axis=1).tolist()
    up, missing = parent.tolist(), np.zeros(len(parent))
    for i in range(len(up) - 1, -1, -1):
        missing[i] = max(THINNEST * swing[i] - spin[i], LEAST_OF_ONE * swing[i] - own[i, 0], 0.0)
        spin[i] += missing[i]
        k = up[i]
        if k >= 0:
            swing[k] += swing[i] + step[i] * (2.0 * moment[i] + step[i] * weight[i])
            moment[k] += moment[i] + step[i] * weight[i]
            weight[k] += weight[i]
            spin[k] += spin[i]
    return missing
