# SPDX-License-Identifier: GPL-3.0-or-later
"""What guides bear of a plant that keeps its drawn shape: so much that its springs strain as little as can be.

Any forces of rigid guides hold the shape, as the springs take the rest. Of all of them those of a plant that was
clamped in its guides before it felt its loads make the springs' energy least, the sum over joints of
moment . (1 / stiffness) moment: a beam on a prop at its tip rests on that with 3/8 of its weight.
"""

import numpy as np

from ..base.arrays import Bools, Floats
from ..guides.apart import keep_apart
from ..guides.on_surface import MOVES
from ..guides.pulls import GIVES, RIGID, held_at, points_of
from ..guides.ties import GIVES as TIE_GIVES
from ..guides.ties import MOVED
from ..guides.ties import RIGID as TIE_RIGID
from ..math.rotations import rotate
from ..model.model import Bodies
from .tangent import StillWorld, Tangent, balance

#: Springs softer than this share of the strongest count as that.
_SOFTEST = 1e-9

#: Forces that do less than this share of what others do are not told apart.
_TOLD_APART = 1e-9


def bear_least(bodies: Bodies, q: Floats, world: StillWorld, work: Tangent) -> None:
    """Let rigid guides hold with forces at which the springs of joints at rotations q (n, 4) strain least."""
    pulls, ties = world.loads.pulls, world.loads.ties
    rigid = (pulls.body >= 0) & (pulls.numbers[:, RIGID] > 0.0)
    tied = ties.numbers[:, TIE_RIGID] > 0.0
    pulls.held[rigid], ties.held[tied] = 0.0, 0.0
    if not (rigid.any() or tied.any()):
        return
    balance(bodies, q, world, work, False)
    keep_apart(pulls, ties, work.position, work.orientation, np.full(len(q), True), np.zeros(len(q)))
    balance(bodies, q, world, work, False)
    acts = [_pulled(world, work, j) for j in np.flatnonzero(rigid)]
    acts += [_tied(world, work, j) for j in np.flatnonzero(tied)]
    moments = np.concatenate([_moments(bodies, work, ends) for ends in acts], axis=2)
    compliance = _compliance(bodies, work)
    strained = np.einsum("nij,njk->nik", compliance, moments).reshape(-1, moments.shape[2])
    whole, wanted = moments.reshape(-1, moments.shape[2]).T @ strained, strained.T @ work.moment.ravel()
    forces = -np.linalg.lstsq(whole, wanted, rcond=_TOLD_APART)[0]
    for (held, most), ends in zip(_held_by(world, rigid, tied), acts, strict=True):
        ways = ends[0][2]
        force, forces = ways @ forces[: ways.shape[1]], forces[ways.shape[1] :]
        held[:] = force / max(1.0, float(np.linalg.norm(force)) * most)


def _held_by(world: StillWorld, rigid: Bools, tied: Bools) -> list[tuple[Floats, float]]:
    """What rigid pulls and ties hold with (3,) N, to be written to, and one over the most of it (1/N)."""
    pulls, ties = world.loads.pulls, world.loads.ties
    by_pulls = [(pulls.held[j], float(pulls.numbers[j, GIVES])) for j in np.flatnonzero(rigid)]
    return by_pulls + [(ties.held[j], float(ties.numbers[j, TIE_GIVES])) for j in np.flatnonzero(tied)]


def _pulled(world: StillWorld, work: Tangent, j: int) -> list[tuple[int, Floats, Floats]]:
    """Body, place (m) and directions (3, k) in which pull j holds against."""
    pulls = world.loads.pulls
    i = int(pulls.body[j])
    place = work.position[i] + rotate(work.orientation[i], points_of(pulls)[j])
    at = tuple(place.tolist())
    across = held_at(pulls.shapes, pulls.shapes, pulls.on, pulls.numbers, j, 0.0, at, MOVES)[1]
    xx, xy, xz, yy, yz, zz = across
    values, vectors = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    return [(i, place, vectors[:, values > 0.5])]


def _tied(world: StillWorld, work: Tangent, j: int) -> list[tuple[int, Floats, Floats]]:
    """The same of both ends of tie j."""
    ties = world.loads.ties
    ends = []
    for end, sign in enumerate((1.0, -1.0)):
        own = slice(3 * end, 3 * end + 3)
        i = int(ties.body[j, end])
        point = ties.point[j, own] + ties.numbers[j, MOVED + own.start : MOVED + own.stop]
        ends.append((i, work.position[i] + rotate(work.orientation[i], point), sign * np.eye(3)))
    return ends


def _moments(bodies: Bodies, work: Tangent, ends: list[tuple[int, Floats, Floats]]) -> Floats:
    """(n, 3, k) N m at joints, with the sign of a gradient, of unit forces in the directions of bodies at places."""
    found = np.zeros((len(bodies.parent), 3, ends[0][2].shape[1]))
    for i, place, ways in ends:
        while i >= 0:
            found[i] -= np.cross(place - work.position[i], ways.T).T
            i = int(bodies.parent[i])
    return found


def _compliance(bodies: Bodies, work: Tangent) -> Floats:
    """(n, 3, 3) of the joints' springs, world axes."""
    soft = np.maximum(bodies.stiffness, _SOFTEST * bodies.stiffness.max(initial=1e-300))
    turned = work.rotation.reshape(-1, 3, 3)
    return np.asarray(turned / soft[:, None, :] @ turned.transpose(0, 2, 1))
