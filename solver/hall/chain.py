# SPDX-License-Identifier: GPL-3.0-or-later
"""Static equilibrium of a tree of rods by the chain algorithm of Hall 2013, beside the solver's own statics.

His elements stand for a rod (or a segment of one) by rigid links and spherical joints; his iteration bends them one
after the other under the loads of everything beyond. Every rod is one straight element, or `segments` of them, of
uniform section, with the compliance of the tapered rod as a whole.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats, Ints
from ..base.checks import MORE_THAN_ZERO, choice, finite, number, whole_number
from ..base.constants import EARTH_GRAVITY
from ..base.errors import SolverError
from ..cross_sections.tapered import bending_compliance, piece_of_rod, twist_per_bend
from ..math.rotations import rotate
from ..model.pieces import MOST_PIECES, unit_frames
from ..model.rods import Rods
from .element import Chain, Pose
from .sweep import Sums, solve_chain

Element = Literal["1R", "3R", "3R corrected"]
Form = Literal["direct", "fast"]
Step = Literal["full", "cautious"]


class _Recipe(NamedTuple):
    """Lengths of the links and, of each joint, bending and twisting stiffness, as shares of l, EI/l and GK/l."""

    links: Floats
    bend: Floats
    twist: Floats
    tip_turn: float
    loaded_at_tip: bool
    whole_turns: bool


class _Loads(NamedTuple):
    """gravity (3,) m/s2; force (m, 3) N and torque (m, 3) N m at the rods' tips."""

    gravity: Floats
    force: Floats
    torque: Floats


_LINKS_3R = np.array([0.12525, 0.35025, 0.38825, 0.13625])  # eq. 4.10c
_KAPPA = np.array([3.25, 2.84, 2.95])  # eq. 4.10b
_KAPPA_EXACT = _KAPPA * (1.0 / _KAPPA).sum()  # a moment alone then turns the tip by exactly M l / EI
_TIP_TURN = 1.5164  # c_theta of eq. 3.3; the stiffness of eq. 3.9b is the same number

_RECIPES = {
    "1R": _Recipe(np.array([0.2654, 0.7346]), np.array([_TIP_TURN]), np.array([1.0]), _TIP_TURN, True, False),
    "3R": _Recipe(_LINKS_3R, _KAPPA, _LINKS_3R[1:].sum() / _LINKS_3R[1:], 1.0, False, False),
    "3R corrected": _Recipe(_LINKS_3R, _KAPPA_EXACT, _KAPPA_EXACT, 1.0, False, True),
}
ELEMENTS = tuple(_RECIPES)
FORMS = ("direct", "fast")
STEPS = ("full", "cautious")

#: rad: what sums of thousands of turns may add to the path error.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class ChainEquilibrium:
    """Where m rods come to rest, in the base's axes.

    head, tail (m, 3) m; frame, tip_frame (m, 4) quaternions of the rods' frames at their heads and tails
    moment (m, 3) N m: what the springs of a rod's first joint hold
    residual: rad, the largest turn that any joint is away from what its load asks
    path_error: rad, the largest difference between a joint's turn and the one that its springs' angles stand for. 1R
        and 3R add up small turns, whose sum depends on their order; the difference shrinks with the elements. 0 in a
        plane, and for "3R corrected".
    iterations: end iterations in all increments
    converged: the residual is within the tolerance, and the path error no larger than another order of the same turns
        can make it. Where it is False the pose is no equilibrium.
    """

    head: Floats
    tail: Floats
    frame: Floats
    tip_frame: Floats
    moment: Floats
    residual: float
    path_error: float
    iterations: int
    converged: bool


def hall_chain(
    rods: Rods,
    gravity: ArrayLike = EARTH_GRAVITY,
    force: ArrayLike | None = None,
    torque: ArrayLike | None = None,
    *,
    element: Element = "3R",
    form: Form = "fast",
    step: Step = "cautious",
    segments: int = 1,
    increments: int = 1,
    tolerance: float = 1e-9,
    iterations: int = 1000,
) -> ChainEquilibrium:
    """Hold a tree of rods in balance with its weight, force (m, 3) N and torque (m, 3) N m at the rods' tips.

    gravity (3,) m/s2; all loads in the base's axes. Weight sits on the links. Pinned rods are rigid. An explicit
    stiffness is that of the whole rod; an explicit mass without a centre is spread like the rod's volume.

    element: "1R" (Hall 3.3.3; its joint feels only what is beyond the tip, so it is first order in the element's
    length), "3R" (4.2), or "3R corrected": stiffness coefficients whose compliances sum to 1, twist shared as bending
    is, and joints whose turn is one rotation vector, so that the result does not depend on the iteration's path.
    form: "direct", O(n^2), or "fast", O(n), equal to rounding.
    step: "full" turns as published, which fail to converge where the loads beyond a joint turn it more readily than
    its spring, that is for too few elements; or "cautious", which divides each turn by 1 + geometric over spring
    stiffness of the joint. Both end in the same balance.
    segments: elements per rod. increments: the loads are applied in so many equal steps. tolerance: rad;
    iterations: at most so many in each increment.

    Raises SolverError for arguments out of range, a rod that nothing holds, and loads beyond the range of arithmetic.
    """
    for name, value, known in (("element", element, ELEMENTS), ("form", form, FORMS), ("step", step, STEPS)):
        choice(name, value, known)
    segments = whole_number("segments", segments, 1, MOST_PIECES)
    increments = whole_number("increments", increments, 1, 1e9)
    iterations = whole_number("iterations", iterations, 1, 1e9)
    tolerance = number("tolerance", tolerance, MORE_THAN_ZERO)
    m = len(rods)
    loads = _Loads(
        gravity=finite("gravity", gravity, (3,)),
        force=np.zeros((m, 3)) if force is None else finite("force", force, (m, 3)),
        torque=np.zeros((m, 3)) if torque is None else finite("torque", torque, (m, 3)),
    )
    recipe = _RECIPES[element]
    order, last = _depth_first(rods.parent_index)
    chain, pose = _elements(rods, recipe, order, last, segments, loads)
    n, links = chain.links.shape
    sums = Sums(*(np.zeros((n, width)) for width in (3, 3, 9, 4, 3)))
    residual, path_error, excess, used = solve_chain(
        chain, pose, sums, form == "fast", step == "cautious", increments, tolerance, iterations
    )
    if not (np.isfinite(pose.tail).all() and np.isfinite(residual)):
        raise SolverError("no equilibrium was found: the loads are too large for these springs")
    first = np.empty(m, dtype=np.int64)
    first[order] = np.arange(0, n, segments)
    end = first + segments - 1
    return ChainEquilibrium(
        head=pose.head[first],
        tail=pose.tail[end],
        frame=pose.link[first * links],
        tip_frame=pose.tip[end],
        moment=pose.moment[first],
        residual=float(residual),
        path_error=float(path_error),
        iterations=int(used),
        converged=bool(residual <= tolerance and excess <= max(tolerance, _ROUNDING)),
    )


def _depth_first(parent: Ints) -> tuple[Ints, Ints]:
    """Rods in depth-first order, and where in that order each one's subtree ends."""
    m = len(parent)
    size = np.ones(m, dtype=np.int64)
    for i in range(m - 1, -1, -1):
        if parent[i] >= 0:
            size[parent[i]] += size[i]
    start = np.empty(m, dtype=np.int64)
    free = np.zeros(m + 1, dtype=np.int64)  # next free place below each rod; the last one is the base
    for i in range(m):
        k = parent[i]
        start[i] = free[k]
        free[k] += size[i]
        free[i] = start[i] + 1
    order = np.argsort(start)
    return order, (start + size)[order]


@np.errstate(all="ignore")  # numbers out of range are refused by name
def _elements(rods: Rods, recipe: _Recipe, order: Ints, last: Ints, s: int, loads: _Loads) -> tuple[Chain, Pose]:
    """Each rod as s elements, in depth-first order, straight and unloaded."""
    m, joints = len(rods), len(recipe.bend)
    place = np.empty(m, dtype=np.int64)
    place[order] = np.arange(m)
    above = rods.parent_index[order]
    parent = np.arange(m * s) - 1
    parent[::s] = np.where(above < 0, -1, place[above] * s + s - 1)

    frame = unit_frames(rods)
    y = np.linspace(0.0, 1.0, s + 1) * rods.array("length")[:, None]
    ends = rods.array("head")[:, None] + y[:, :, None] * rotate(frame, np.array([0.0, 1.0, 0.0]))[:, None]
    compliance = _compliance(rods, y)[:, :, None] / np.stack([recipe.bend, recipe.twist, recipe.bend], axis=1)
    mass, center = _links(rods, y, recipe)
    force, torque = np.zeros((2, m, s, 3))
    force[:, -1], torque[:, -1] = loads.force, loads.torque

    def listed(values: Floats, width: int) -> Floats:
        return np.ascontiguousarray(values[order].reshape(-1, width))

    def framed(count: int) -> Floats:
        return listed(np.repeat(frame, count, axis=0).reshape(m, -1), 4)

    chain = Chain(
        parent=parent,
        last=np.repeat(last * s, s),
        links=listed(np.diff(y)[:, :, None] * recipe.links, joints + 1),
        compliance=listed(compliance, 3),
        tip_turn=np.array([[recipe.tip_turn, 1.0, recipe.tip_turn]]),
        loaded_at_tip=recipe.loaded_at_tip,
        whole_turns=recipe.whole_turns,
        force=listed(force, 3),
        torque=listed(torque, 3),
        gravity=loads.gravity[None],
        mass=listed(mass, 1)[:, 0],
        center=listed(center, 3),
        weight=listed(mass.reshape(m, s, joints + 1).sum(axis=2)[:, :, None] * loads.gravity, 3),
    )
    pose = Pose(
        head=listed(ends[:, :-1], 3),
        tail=np.zeros((m * s, 3)),
        center=np.zeros((m * s, 3)),
        link=framed(s * (joints + 1)),
        tip=framed(s),
        angles=np.zeros((m * s * joints, 3)),
        moment=np.zeros((m * s, 3)),
    )
    return chain, pose


def _compliance(rods: Rods, y: Floats) -> Floats:
    """(m, s, 3) rad/(N m) of the pieces of the rods between the heights y (m, s + 1): bend, twist, bend."""
    length = rods.array("length")
    young, hollow, r0, r1 = (rods.array(name) for name in ("young", "hollow", "radius_base", "radius_tip"))
    bend = np.stack(
        [bending_compliance(young, hollow, r0, r1, length, y[:, k], y[:, k + 1]) for k in range(y.shape[1] - 1)], axis=1
    )
    x, z, twist = rods.array("section")[:, :3].T
    stiffer = np.stack([x, twist * twist_per_bend(rods.array("poisson")), z], axis=1)
    each = bend[:, :, None] / stiffer[:, None]
    given = rods.array("stiffness")
    rods.refuse((given == 0.0).any(axis=1), "its stiffness is zero, so nothing holds it")
    share = np.diff(y)[:, :, None] / length[:, None, None]
    each = np.where(np.isfinite(given).all(axis=1)[:, None, None], share / given[:, None], each)
    each /= rods.array("stiffness_factor")[:, None, None]
    rods.refuse(~np.isfinite(each).all(axis=(1, 2)), "its size or stiffness is out of range")
    return np.where((rods.array("pinned") != 0.0)[:, None, None], 0.0, each)


def _links(rods: Rods, y: Floats, recipe: _Recipe) -> tuple[Floats, Floats]:
    """mass (m, s (J + 1)) kg and centre (m, s (J + 1), 3) m, in the links' frames, of the links of the pieces y."""
    density, hollow, r0, r1, length = (
        rods.array(name) for name in ("density", "hollow", "radius_base", "radius_tip", "length")
    )
    at = (y[:, :-1, None] + np.diff(y)[:, :, None] * np.cumsum([0.0, *recipe.links[:-1]])).reshape(len(rods), -1)
    at = np.concatenate([at, y[:, -1:]], axis=1)
    pieces = [piece_of_rod(density, hollow, r0, r1, length, at[:, k], at[:, k + 1]) for k in range(at.shape[1] - 1)]
    mass = np.stack([piece.mass for piece in pieces], axis=1) * rods.array("section")[:, 3:4]
    center = np.zeros((*mass.shape, 3))
    center[:, :, 1] = np.stack([piece.center for piece in pieces], axis=1) - at[:, :-1]
    given = rods.array("mass")
    mass = np.where(np.isfinite(given)[:, None], mass * (given / mass.sum(axis=1))[:, None], mass)
    rods.refuse(~(np.isfinite(mass) & (mass > 0.0)).all(axis=1), "its size or density is out of range")
    for i in np.flatnonzero(np.isfinite(rods.array("com")).all(axis=1)):  # the link beside it carries all
        com = rods.array("com")[i]
        link = int(np.clip(np.searchsorted(at[i], com[1], side="right") - 1, 0, mass.shape[1] - 1))
        total, mass[i] = mass[i].sum(), 0.0
        mass[i, link] = total
        center[i, link] = com - (0.0, at[i, link], 0.0)
    return mass, center
