# SPDX-License-Identifier: GPL-3.0-or-later
"""From rods to rigid bodies and joint springs. Where the joints sit and how stiff they are: layouts.py."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Bools, Floats, Ints
from ..base.errors import SolverError
from ..cross_sections.tapered import section_modulus
from ..math.rotations import conjugate, matrices, multiply, unrotate
from .accuracy import segments_for
from .layouts import AT_THE_BASE, DEFAULT_LAYOUT, LAYOUTS, Joints, joints_of
from .limit_stiffness import limit_stiffness
from .mass_properties import Slices, displaced_volume, mass_properties, missing_inertia
from .model import Bodies, Model, Panels
from .panels import panels_of
from .pieces import Pieces, cut, own_mass, segment_counts, unit_frames
from .rods import Rods
from .shapes import Shapes, shapes_of
from .stretched import Matter, matter_of, stretched_rods


@np.errstate(all="ignore")  # numbers out of range are refused at the end
def discretize(
    rods: Rods, layout: str = DEFAULT_LAYOUT, segments: ArrayLike = 1, tip_error: float | None = None
) -> Model:
    """Bodies, springs and panels of a tree of rods.

    layout: one of LAYOUTS. segments: into how many pieces, each with the layout's joints, to cut every rod, one number
    or (m,). tip_error: choose the segments so that no tip is off by more than this share of its path from the root
    (see accuracy.py); segments are then the fewest. Limits and joint_damping of a rod are shared out over its joints
    so that the whole rod has them; so is an explicit stiffness.

    Raises SolverError for an unknown layout, for explicit bodies in a layout that cuts rods, and when every rod is
    welded to the base.
    """
    if layout not in LAYOUTS:
        raise SolverError(f"unknown layout {layout!r}, choose one of {', '.join(LAYOUTS)}")
    frame = unit_frames(rods)
    pinned = rods.array("pinned") != 0.0
    if layout not in AT_THE_BASE:
        rods.refuse(own_mass(rods) & ~pinned, "it has a mass of its own, which needs a layout with joints at the base")
    if pinned.all():
        raise SolverError("nothing can move: everything is pinned")
    counts = segment_counts(rods, segments)
    if tip_error is not None:
        counts = np.maximum(counts, segments_for(rods, layout, tip_error))
    pieces = cut(rods, counts)
    joints = joints_of(pieces, layout)
    tree = _tree(rods, frame, pieces, joints.at)
    slices = _slices(pieces, joints.at, tree.carrier)
    stiffness, share = _stiffness(rods, joints, ~pieces.rigid, tree.rod)
    bodies, thin = _bodies(rods, tree, slices, stiffness, share)
    at = np.where(pieces.rigid[:, None], np.inf, joints.at)  # rigid pieces have none
    panels = panels_of(rods, frame, pieces, at, tree.carrier, tree.position, tree.orientation)
    volume, made = displaced_volume(rods, slices, len(tree.rod)), _Made(
        partial(shapes_of, rods, frame, slices, bodies, tree.position, tree.orientation),
        partial(matter_of, rods, frame, slices), partial(_stretched, rods, frame, layout, counts),
    )  # fmt: skip
    return _model(rods, pieces, tree, bodies, panels, made, volume, share, thin)


class _Made(NamedTuple):
    """What of a model is made when it is first asked for."""

    shapes: Callable[[], Shapes]
    matter: Callable[[], Matter]
    stretched: Callable[[Floats], Model]


def _stretched(rods: Rods, frame: Floats, layout: str, counts: Ints, lengths: Floats) -> Model:
    return discretize(stretched_rods(rods, frame, lengths), layout, counts)


class _Tree(NamedTuple):
    """Where the joints of n bodies are as drawn, in the base's frame, one after the other on the pieces that bend.

    frame (m, 4): the rods'; carrier (p, k + 1): see _carriers; rod (n,) and along (n,) m: which the joint is on, and
    how far from its base; parent (n,); position (n, 3) m, orientation (n, 4)
    """

    frame: Floats
    carrier: Ints
    rod: Ints
    along: Floats
    parent: Ints
    position: Floats
    orientation: Floats


def _tree(rods: Rods, frame: Floats, pieces: Pieces, at: Floats) -> _Tree:
    carrier = _carriers(pieces, at.shape[1])
    bending = np.flatnonzero(~pieces.rigid)
    piece = np.repeat(bending, at.shape[1])
    rod = pieces.rod[piece]
    along = pieces.start[piece] + at[bending].ravel()
    position = rods.array("head")[rod] + along[:, None] * _axis(frame)[rod]
    return _Tree(frame, carrier, rod, along, carrier[bending, :-1].ravel(), position, frame[rod])


def _axis(frame: Floats) -> Floats:
    """(m, 3): the rods' axes."""
    axis: Floats = matrices(frame)[:, :, 1]
    return axis


def _bodies(rods: Rods, tree: _Tree, slices: Slices, stiffness: Floats, share: Floats) -> tuple[Bodies, Floats]:
    """Bodies, and thin as of Model. Refuses rods whose bodies cannot be simulated."""
    rod, parent = tree.rod, tree.parent
    offset, rest = _joint_frames(tree)
    mass, com, inertia = mass_properties(rods, tree.frame, slices, tree.position, tree.orientation)
    _check_range(rods, rod, mass, com, inertia, stiffness)
    base, tip, hollow, length = (rods.array(name)[rod] for name in ("radius_base", "radius_tip", "hollow", "length"))
    modulus = section_modulus(base + (tip - base) * tree.along / length, hollow)
    thin = missing_inertia(parent, offset, mass, com, inertia)
    bodies = Bodies(
        parent=np.ascontiguousarray(parent),
        offset=np.ascontiguousarray(offset),
        rest=np.ascontiguousarray(rest),
        mass=mass,
        com=com,
        inertia=inertia + thin[:, None] * (1.0, 0.0, 0.0, 1.0, 0.0, 1.0),
        stiffness=np.ascontiguousarray(stiffness),
        damping_time=rods.array("damping_time")[rod],
        damping=rods.array("joint_damping")[rod] / share,  # in series, as the stiffness
        bend_limit=rods.array("bend_limit")[rod] * share,
        twist_limit=rods.array("twist_limit")[rod] * share,
        limit_stiffness=limit_stiffness(parent, offset, mass, com, stiffness),
        strength=np.where(_is_first(rod), rods.array("strength")[rod] * modulus, np.inf),
        modulus=np.ascontiguousarray(rods.array("section")[rod, 6:]),
        fibres=rods.array("fibres")[rod],
    )
    return bodies, thin


def _is_first(rod: Ints) -> Bools:
    """(n,) whether a joint is the first one of its rod: only there a bone can come off."""
    first = np.zeros(len(rod), dtype=np.bool_)
    first[np.unique(rod, return_index=True)[1]] = True
    return first


def _joint_frames(tree: _Tree) -> tuple[Floats, Floats]:
    """Places (n, 3) m and orientations (n, 4) of joints in their parents' frames; along a rod exactly straight."""
    rooted = tree.parent < 0
    of = np.where(rooted, 0, tree.parent)
    inwards = tree.orientation[of]
    offset = np.where(rooted[:, None], tree.position, unrotate(inwards, tree.position - tree.position[of]))
    rest = np.where(rooted[:, None], tree.orientation, multiply(conjugate(inwards), tree.orientation))
    straight = ~rooted & (tree.rod[of] == tree.rod)
    offset[straight] = 0.0
    offset[straight, 1] = (tree.along - tree.along[of])[straight]
    rest[straight] = (1.0, 0.0, 0.0, 0.0)
    return offset, rest


def _model(
    rods: Rods, pieces: Pieces, tree: _Tree, bodies: Bodies, panels: Panels,
    made: _Made, volume: Floats, share: Floats, thin: Floats,
) -> Model:  # fmt: skip
    """How the rods sit on the bodies; volume, share, thin (n,): body_volume, bend_share and thin."""
    rod, length, last = tree.rod, rods.array("length"), pieces.last
    pinned = rods.array("pinned") != 0.0
    first = np.concatenate([[0], last[:-1] + 1])
    lower, upper = tree.carrier[first, 0], tree.carrier[last, -1]
    body_at = tree.along / length[rod]
    joint_count = np.bincount(rod, minlength=len(rods))
    first_joint = np.where(pinned, -1, np.cumsum(joint_count) - joint_count)
    following = np.append(body_at[1:], 1.0)
    following[np.append(rod[1:] != rod[:-1], True)] = 1.0
    before_middle = np.bincount(rod, body_at <= 0.5, len(rods)).astype(np.int64)
    below = multiply(conjugate(tree.orientation[np.maximum(lower, 0)]), tree.frame)
    return Model(
        bodies=bodies,
        panels=panels,
        lower=lower,
        upper=upper,
        middle=np.where(before_middle > 0, first_joint + before_middle - 1, lower),
        first_joint=first_joint,
        joint_count=joint_count,
        length=length.copy(),
        stub=np.where(pinned, 1.0, body_at[np.maximum(first_joint, 0)]),
        rod_rest=np.where((lower < 0)[:, None], tree.frame, below),
        head=_in_body(rods.array("head"), lower, tree),
        tail=_in_body(rods.array("head") + length[:, None] * _axis(tree.frame), upper, tree),
        body_volume=volume,
        body_rod=rod,
        body_at=body_at,
        length_share=following - body_at,
        bend_share=share,
        thin=thin,
        make_shapes=made.shapes,
        make_matter=made.matter,
        make_stretched=made.stretched,
    )


def _carriers(pieces: Pieces, k: int) -> Ints:
    """(p, k + 1) bodies of a piece below its first joint and above each of its k joints; -1 for the base."""
    own = k * (np.cumsum(~pieces.rigid) - 1)[:, None] + np.arange(k)
    lower: list[int] = []
    upper: list[int] = []
    last = own[:, -1].tolist()
    for parent, rigid, body in zip(pieces.parent.tolist(), pieces.rigid.tolist(), last, strict=True):
        below = upper[parent] if parent >= 0 else -1
        lower.append(below)
        upper.append(below if rigid else body)
    base = np.array(lower)[:, None]
    return np.concatenate([base, np.where(pieces.rigid[:, None], base, own)], axis=1)


def _slices(pieces: Pieces, at: Floats, carrier: Ints) -> Slices:
    """What the joints cut every piece into, but for slices of no length and those on the base."""
    base, tip = np.zeros((len(at), 1)), pieces.length[:, None]
    ends = np.concatenate([base, np.where(pieces.rigid[:, None], tip, at), tip], axis=1)
    y0, y1 = ends[:, :-1].ravel(), ends[:, 1:].ravel()
    body = carrier.ravel()
    which = np.flatnonzero((body >= 0) & ~(y1 <= y0))
    piece = which // carrier.shape[1]
    start = pieces.start[piece]
    return Slices(body[which], pieces.rod[piece], start + y0[which], start + y1[which])


def _stiffness(rods: Rods, joints: Joints, bending: Bools, rod: Ints) -> tuple[Floats, Floats]:
    """Stiffness (n, 3) of the joints and their share (n,) of the rod's compliance; rod (n,) of each joint."""
    bend, twist, side = (part[bending].ravel() for part in (joints.bend, joints.twist, joints.side))
    share = bend / np.bincount(rod, bend, len(rods))[rod]
    stiffness = 1.0 / np.stack([bend, twist, side], axis=1)
    given = rods.array("stiffness")[rod]
    stiffness = np.where(np.isfinite(given).all(axis=1)[:, None], given / share[:, None], stiffness)
    return stiffness * rods.array("stiffness_factor")[rod, None], share


def _check_range(rods: Rods, rod: Ints, mass: Floats, com: Floats, inertia: Floats, stiffness: Floats) -> None:
    """Refuse bodies that no real thing can be, or whose numbers leave the range of arithmetic; rod (n,) of each."""

    def refuse(wrong: Bools, message: str) -> None:
        rods.refuse(np.bincount(rod, wrong, len(rods)) > 0, message)

    about_joint = inertia[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(-1, 3, 3)
    squares = (com * com).sum(axis=1)[:, None, None] * np.eye(3) - com[:, :, None] * com[:, None, :]
    about_com = about_joint - mass[:, None, None] * squares
    finite = np.isfinite(about_com).all(axis=(1, 2)) & np.isfinite(stiffness).all(axis=1) & (mass > 0.0)
    refuse(~finite, "its size, density or stiffness is out of range")
    none = (np.linalg.eigvalsh(about_joint) <= 0.0).any(axis=1)
    refuse(none, "its moment of inertia is zero in some direction: it is too thin to be simulated")
    size = np.trace(about_joint, axis1=1, axis2=2)
    small = np.linalg.eigvalsh(about_com).min(axis=1) < -1e-9 * size
    refuse(small, "its inertia about the joint is smaller than its mass at its centre of mass alone has")


def _in_body(point: Floats, body: Ints, tree: _Tree) -> Floats:
    """Points (m, 3) given in the base's frame at rest, in their bodies' frames (the base's where body is -1)."""
    of = np.maximum(body, 0)
    return np.where((body < 0)[:, None], point, unrotate(tree.orientation[of], point - tree.position[of]))
