# SPDX-License-Identifier: GPL-3.0-or-later
"""From rods to rigid bodies and joint springs: where the joints sit and how stiff they are.

Layouts, with the tip deflection of a cantilever of N equal internodes over w l^4 / (8 E I):

base         a joint at the base of every internode with the averages of Garcia eq. 6.6 and 6.16: (1 + 1/N)^2
double_root  the same joints, each with the compliance of the two half internodes it stands for: 1 + 1/N^2
mid          a joint in the middle of every internode, halves welded at the nodes so that a branching point is one
             rigid Y: 1 - 1/(2 N^2)
"""

import numpy as np

from .errors import SolverError
from .model import Bodies, Floats, Ints, Model
from .rods import Rods
from .rotation import conjugate, matrices, multiply, rotate, unrotate
from .sections import bending_compliance, piece_of_rod, twist_per_bend

LAYOUTS = ("base", "double_root", "mid")

#: Joint position along the rod as a share of its length.
_JOINT_AT = {"base": 0.0, "double_root": 0.0, "mid": 0.5}


@np.errstate(all="ignore")  # numbers out of range are refused at the end
def discretize(rods: Rods, layout: str = "double_root") -> Model:
    """Bodies and springs of a tree of rods.

    Raises SolverError for an unknown layout, for explicit bodies in a layout that cuts rods, and when every rod is
    welded to the base.
    """
    if layout not in LAYOUTS:
        raise SolverError(f"unknown layout {layout!r}, choose one of {', '.join(LAYOUTS)}")
    frame = rods.array("frame")
    norm = np.linalg.norm(frame, axis=1)
    rods.refuse(np.abs(norm - 1.0) > 1e-3, "frame is not a unit quaternion")
    frame = frame / norm[:, None]
    welded = rods.array("pinned") != 0.0
    joint_at = np.where(welded, 0.0, _JOINT_AT[layout] * rods.array("length"))
    if layout == "mid":
        explicit = [
            np.isfinite(rods.array(name)).reshape(len(rods), -1).any(axis=1) for name in ("mass", "com", "inertia")
        ]
        own_mass = np.logical_or.reduce(explicit)
        rods.refuse(own_mass & ~welded, "it has a mass of its own, which needs a layout with joints at the base")
    if welded.all():
        raise SolverError("nothing can move: everything is pinned")

    lower, upper, joint = _bodies_of_rods(rods.parent_index, welded)
    bend, twist = _stiffness(rods, layout, welded)
    moving = np.flatnonzero(~welded)  # rod of every body
    axis = matrices(frame)[:, :, 1]
    position = (rods.array("head") + joint_at[:, None] * axis)[moving]
    orientation = frame[moving]
    parent = lower[moving]
    rooted = parent < 0
    of = np.where(rooted, 0, parent)
    offset = np.where(rooted[:, None], position, unrotate(orientation[of], position - position[of]))
    rest = np.where(rooted[:, None], orientation, multiply(conjugate(orientation[of]), orientation))

    mass, com, inertia = _mass_properties(rods, frame, joint_at, lower, upper, position, orientation)
    stiffness = np.stack([bend, twist, bend], axis=1)[moving]
    given = np.isfinite(rods.array("stiffness")).all(axis=1)[moving]
    stiffness = np.where(given[:, None], rods.array("stiffness")[moving], stiffness)
    stiffness *= rods.array("stiffness_factor")[moving, None]
    _check_range(rods, moving, mass, com, inertia, stiffness)
    bodies = Bodies(
        parent=np.ascontiguousarray(parent),
        offset=np.ascontiguousarray(offset),
        rest=np.ascontiguousarray(rest),
        mass=mass,
        com=com,
        inertia=inertia,
        stiffness=np.ascontiguousarray(stiffness),
        damping_time=rods.array("damping_time")[moving],
        damping=rods.array("joint_damping")[moving],
    )
    return Model(
        bodies=bodies,
        lower=lower,
        upper=upper,
        bend_share=np.where(welded, 0.0, 0.5 if layout == "mid" else 1.0),
        rod_rest=np.where((lower < 0)[:, None], frame, _relative(orientation, lower, frame)),
        head=_in_body(rods.array("head"), lower, position, orientation),
        tail=_in_body(rods.array("head") + rods.array("length")[:, None] * axis, upper, position, orientation),
        joint=joint,
    )


def _bodies_of_rods(parent: Ints, welded: np.ndarray) -> tuple[Ints, Ints, Ints]:
    """Body below and above each rod's joint (-1: the base), and the body whose joint it is (-1: welded)."""
    n = len(parent)
    joint = np.where(welded, -1, np.cumsum(~welded) - 1)
    lower = np.empty(n, dtype=np.int64)
    upper = np.empty(n, dtype=np.int64)
    for i in range(n):
        lower[i] = upper[parent[i]] if parent[i] >= 0 else -1
        upper[i] = lower[i] if welded[i] else joint[i]
    return lower, upper, joint


def _stiffness(rods: Rods, layout: str, welded: np.ndarray) -> tuple[Floats, Floats]:
    """Bending and twisting stiffness (N m/rad) of every rod's joint, without the factor of the user."""
    young, poisson, length = rods.array("young"), rods.array("poisson"), rods.array("length")
    r0, r1 = rods.array("radius_base"), rods.array("radius_tip")
    parent = rods.parent_index
    above = np.where(parent < 0, np.arange(len(rods)), parent)  # a root is averaged with itself
    if layout == "base":
        radius = 0.5 * (r0 + r1)
        bend = young * np.pi / 8.0 * (radius[above] ** 4 + radius**4) * 2.0 / (length[above] + length)
        return bend, bend * twist_per_bend(poisson)
    start, middle = np.zeros_like(length), 0.5 * length
    if layout == "mid":
        bend_compliance = bending_compliance(young, r0, r1, length, start, length)
        return 1.0 / bend_compliance, twist_per_bend(poisson) / bend_compliance
    own = bending_compliance(young, r0, r1, length, start, middle)
    # The base and welded rods are rigid: they add no compliance to the joints they carry.
    rigid = (parent < 0) | welded[above]
    below = np.where(rigid, 0.0, bending_compliance(young, r0, r1, length, middle, length)[above])
    twist = own / twist_per_bend(poisson) + below / twist_per_bend(poisson[above])
    return 1.0 / (own + below), 1.0 / twist


def _mass_properties(
    rods: Rods, frame: Floats, joint_at: Floats, lower: Ints, upper: Ints, position: Floats, orientation: Floats
) -> tuple[Floats, Floats, Floats]:
    """mass (n,), com (n, 3), inertia (n, 6) about the joint, both in the body's frame, of everything welded to it."""
    n = len(position)
    mass, first, second = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 3, 3))
    length = rods.array("length")
    for carrier, y0, y1 in ((lower, np.zeros_like(length), joint_at), (upper, joint_at, length)):
        which = np.flatnonzero((carrier >= 0) & (y1 > y0))
        if not which.size:
            continue
        body = carrier[which]
        m, center, about_com = _piece(rods, which, y0[which], y1[which])
        at = unrotate(orientation[body], rods.array("head")[which] + rotate(frame[which], center) - position[body])
        r = matrices(multiply(conjugate(orientation[body]), frame[which]))
        spin = r @ about_com @ r.transpose(0, 2, 1)
        parallel = (at * at).sum(axis=1)[:, None, None] * np.eye(3) - at[:, :, None] * at[:, None, :]
        np.add.at(mass, body, m)
        np.add.at(first, body, m[:, None] * at)
        np.add.at(second, body, spin + m[:, None, None] * parallel)
    inertia = second[:, (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)]
    return mass, np.ascontiguousarray(first / mass[:, None]), np.ascontiguousarray(inertia)


def _piece(rods: Rods, which: Ints, y0: Floats, y1: Floats) -> tuple[Floats, Floats, Floats]:
    """mass (k,), centre of mass (k, 3) in the rod's frame, inertia (k, 3, 3) about it; explicit values win."""
    density, r0, r1, length = (rods.array(name)[which] for name in ("density", "radius_base", "radius_tip", "length"))
    piece = piece_of_rod(density, r0, r1, length, y0, y1)
    mass = np.where(np.isfinite(rods.array("mass")[which]), rods.array("mass")[which], piece.mass)
    share = mass / piece.mass  # an explicit mass alone keeps the cylinder's shape
    center = np.zeros((len(which), 3))
    center[:, 1] = piece.center
    own_com = np.isfinite(rods.array("com")[which]).all(axis=1)
    center = np.where(own_com[:, None], rods.array("com")[which], center)
    diagonal = np.stack([piece.transverse, piece.axial, piece.transverse], axis=1) * share[:, None]
    squares = center**2
    to_com = mass[:, None] * (squares.sum(axis=1)[:, None] - squares)
    own_inertia = np.isfinite(rods.array("inertia")[which]).all(axis=1)
    diagonal = np.where(own_inertia[:, None], rods.array("inertia")[which] - to_com, diagonal)
    about_com = diagonal[:, :, None] * np.eye(3)
    # An explicit inertia is diagonal about the joint, so off the axis the products of inertia go back to the centre.
    products = mass[:, None, None] * center[:, :, None] * center[:, None, :] * (1.0 - np.eye(3))
    return mass, center, about_com + np.where(own_inertia[:, None, None], products, 0.0)


def _check_range(rods: Rods, moving: Ints, mass: Floats, com: Floats, inertia: Floats, stiffness: Floats) -> None:
    """Refuse bodies that no real thing can be, or whose numbers leave the range of arithmetic."""
    about_joint = inertia[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(-1, 3, 3)
    squares = (com * com).sum(axis=1)[:, None, None] * np.eye(3) - com[:, :, None] * com[:, None, :]
    about_com = about_joint - mass[:, None, None] * squares
    wrong = np.zeros(len(rods), dtype=bool)
    finite = np.isfinite(about_com).all(axis=(1, 2)) & np.isfinite(stiffness).all(axis=1) & (mass > 0.0)
    wrong[moving] = ~finite
    rods.refuse(wrong, "its size, density or stiffness is out of range")
    wrong[moving] = (np.linalg.eigvalsh(about_joint) <= 0.0).any(axis=1)
    rods.refuse(wrong, "its moment of inertia is zero in some direction: it is too thin to be simulated")
    size = np.trace(about_joint, axis1=1, axis2=2)
    wrong[moving] = np.linalg.eigvalsh(about_com).min(axis=1) < -1e-9 * size
    rods.refuse(wrong, "its inertia about the joint is smaller than its mass at its centre of mass alone has")


def _relative(orientation: Floats, body: Ints, frame: Floats) -> Floats:
    return multiply(conjugate(orientation[np.maximum(body, 0)]), frame)


def _in_body(point: Floats, body: Ints, position: Floats, orientation: Floats) -> Floats:
    """Points (m, 3) given in the base's frame at rest, in their bodies' frames (the base's where body is -1)."""
    of = np.maximum(body, 0)
    return np.where((body < 0)[:, None], point, unrotate(orientation[of], point - position[of]))
