# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that nothing holds, as models of one body: a ball, a box, a capsule, a convex hull."""

from functools import partial
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Floats, Ints
from ..base.checks import MORE_THAN_ZERO, choice, finite, indices, number
from ..base.constants import LARGEST
from ..base.errors import SolverError
from .model import Bodies, Model, Panels
from .rods import LANDING_RANGE, LANDING_TIME
from .shapes import BRAKED, SINKS, WEIGHT, Shapes
from .stretched import Matter

Kind = Literal["ball", "box", "capsule", "hull"]

#: Drag coefficients on the sections of what holds them (Hoerner 1965, chapter 3): round ones, and those with edges.
_DRAG = {"ball": 0.47, "box": 1.05, "capsule": 0.8, "hull": 0.8}

#: Edges are rounded by this share of the least half side; a box flatter than this share of its other sides is a plate.
_ROUNDED, _FLAT = 0.1, 0.25

#: So many radii of its edges most plates of a box lie behind its faces; by such a share two triangles may differ from a
#: parallelogram; and narrower ones than this are covered by edges. Behind a plate a hull is solid as far as it is there
#: everywhere, and for so many radii where it is thinner.
_BEHIND, _EVEN, _NARROW, _LEAST_BEHIND = 1e-3, 1e-6, 0.1, 1.0

#: Where (xx, xy, xz, yy, yz, zz) are in a matrix.
_SYMMETRIC = (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)

#: As long as a solid is held on its base, its joint is so many times as stiff as it takes to bear its weight.
_HELD = 1e6


class _Mass(NamedTuple):
    """volume m3, centre (3,) m, and moments of volume (3, 3) m5 about the origin: the integral of x x^T."""

    volume: float
    centre: Floats
    second: Floats


class _Parts(NamedTuple):
    """start, end, side (k, 3) m, radius (k,) m and inside (k, 3) m of shapes."""

    start: Floats
    end: Floats
    side: Floats
    radius: Floats
    inside: Floats


def solid(
    kind: Kind, size: ArrayLike = (), *, vertices: ArrayLike = (), triangles: ArrayLike = (),
    centre: ArrayLike = (0.0, 0.0, 0.0), density: float = 500.0, friction: float = 0.5, bounce: float = 0.0,
    stickiness: float = 0.0, landing_time: float = LANDING_TIME,
) -> Model:  # fmt: skip
    """A body in axes of its own, which stand where its base does until Sample.cut sets it free.

    kind and size (m): "ball" with its radius; "capsule" with radius and half the length of its segment along y; "box"
    with half its sizes, about centre (3,) m; "hull" of vertices (v, 3) m and triangles (t, 3), convex, whose corners
    run counterclockwise seen from outside. density kg/m3; friction, bounce, stickiness (N),
    landing_time (s): as of Rods
    Its edges touch as if they were a little round; faces of a hull by a rectangle and the middle of each triangle.

    Raises SolverError for what is not numbers, is out of range or has another shape.
    """
    choice("solid", kind, get_args(Kind))
    middle = finite("centre", centre, (3,))
    if kind == "hull":
        points, corners = _hull(vertices, triangles)
        mass, parts = _mass_of_hull(points, corners), _parts_of_hull(points, corners)
        half = 0.5 * np.ptp(points, axis=0)
    else:
        given = finite("size", size, ({"ball": 1, "capsule": 2, "box": 3}[kind],), MORE_THAN_ZERO)
        mass, parts, half = _simple(kind, given, middle)
    heavy = number("density", density, MORE_THAN_ZERO, LARGEST) * mass.volume
    moment = heavy / mass.volume * mass.second
    inertia = np.trace(moment) * np.eye(3) - moment
    reach = float(half.max() + np.linalg.norm(mass.centre))
    one = np.ones(1)
    bodies = Bodies(
        parent=np.full(1, -1), offset=np.zeros((1, 3)), rest=np.array([[1.0, 0.0, 0.0, 0.0]]), mass=heavy * one,
        com=mass.centre[None].copy(), inertia=inertia[_SYMMETRIC][None],
        stiffness=np.full((1, 3), _HELD * heavy * WEIGHT * reach), damping_time=np.full(1, LANDING_TIME),
        damping=np.zeros(1), bend_limit=np.full(1, np.inf), twist_limit=np.full(1, np.inf), limit_stiffness=np.zeros(1),
        strength=np.full(1, np.inf), modulus=np.ones((1, 3)), fibres=np.zeros(1),
    )  # fmt: skip
    area = _DRAG[kind] * (np.prod(2.0 * half) / (2.0 * half)) * (np.pi / 4.0 if kind in ("ball", "capsule") else 1.0)
    panels = Panels(
        np.array([0, 1]), mass.centre[None].copy(), np.array([[0.0, 1.0, 0.0]]), area[1:2], 0.5 * (area[:1] + area[2:]),
        np.zeros(1), np.zeros(1), np.zeros((1, 3)), np.zeros(1, dtype=np.int64), *np.zeros((4, 1)),
    )  # fmt: skip
    law = (
        number("friction", friction, 0.0, LARGEST), number("bounce", bounce, 0.0, 1.0),
        number("stickiness", stickiness, 0.0, LARGEST), number("landing_time", landing_time, *LANDING_RANGE),
    )  # fmt: skip
    numbers = np.concatenate([[heavy], mass.centre, (moment - heavy * np.outer(mass.centre, mass.centre))[_SYMMETRIC]])
    first = np.zeros(1, dtype=np.int64)
    matter = Matter(first, first, numbers[None], first - 1, np.zeros((1, 3)), 2.0 * half[1:2])
    return _model(bodies, panels, mass.volume, matter, partial(_shapes, parts, heavy, *law))


def _model(bodies: Bodies, panels: Panels, volume: float, matter: Matter, make_shapes: partial[Shapes]) -> Model:
    """One rod along y that stands with its joint on the base."""
    zero, one, length = np.zeros(1, dtype=np.int64), np.ones(1), float(matter.length[0])
    return Model(
        bodies=bodies, panels=panels, lower=np.full(1, -1), upper=zero, middle=zero, first_joint=zero,
        joint_count=zero + 1, length=length * one, stub=0.0 * one, rod_rest=np.array([[1.0, 0.0, 0.0, 0.0]]),
        head=np.zeros((1, 3)), tail=np.array([[0.0, length, 0.0]]), body_volume=volume * one, body_rod=zero,
        body_at=0.0 * one, length_share=one, bend_share=one, thin=0.0 * one, make_shapes=make_shapes,
        make_matter=lambda: matter, make_stretched=_refuse,
    )  # fmt: skip


def _refuse(lengths: Floats) -> Model:
    raise SolverError("a solid keeps its size", 0)


def _shapes(
    parts: _Parts, mass: float, friction: float, bounce: float, stickiness: float, landing: float
) -> Shapes:
    k = len(parts.radius)
    none, even = np.zeros(k, dtype=np.int64), np.ones(k)
    stiffness = np.maximum(WEIGHT * mass / (SINKS * parts.radius), BRAKED * mass / landing**2)
    radius = np.stack([parts.radius, parts.radius], axis=1)
    return Shapes(
        none, none, parts.start, parts.end, parts.side, radius, friction * even, bounce * even, stiffness,
        landing * even, stickiness * even, parts.inside, 0.0 * even,
    )  # fmt: skip


def _simple(kind: Kind, size: Floats, centre: Floats) -> tuple[_Mass, _Parts, Floats]:
    """Of a ball, a capsule or a box, and half its extents (3,) m."""
    along, nothing = np.array([[0.0, 1.0, 0.0]]), np.zeros((1, 3))
    if kind == "box":
        half = size
        volume, own = float(8.0 * np.prod(half)), np.diag(half**2) / 3.0
        parts = _parts_of_box(half)
    else:
        r, h = float(size[0]), float(size[1]) if kind == "capsule" else 0.0
        half = np.array([r, r + h, r])
        ball, tube = 4.0 / 3.0 * np.pi * r**3, 2.0 * np.pi * r * r * h
        volume = ball + tube
        across = 0.2 * ball * r * r + 0.25 * tube * r * r
        lengthwise = ball * (0.2 * r * r + 0.75 * r * h + h * h) + tube * h * h / 3.0
        own = np.diag([across, lengthwise, across]) / volume
        parts = _Parts(-h * along, h * along, nothing, np.full(1, r), nothing)
    second = volume * (own + np.outer(centre, centre))
    parts = parts._replace(start=parts.start + centre, end=parts.end + centre)
    return _Mass(volume, centre, second), parts, half


def _parts_of_box(half: Floats) -> _Parts:
    """One plate for each face, or for the whole of a flat one. All corners are those of two faces, so that it stands on
    four; the other plates are a little smaller and a hair behind their faces."""
    thin = int(half.argmin())
    others = np.delete(half, thin)
    if half[thin] < _FLAT * others.min():
        faces, radius = [(thin, 0.0)], float(half[thin])
    else:
        radius = _ROUNDED * float(half[thin])
        faces = [(axis, side) for axis in range(3) for side in (-1.0, 1.0)]
    start, end, across, inside = (np.zeros((len(faces), 3)) for _ in range(4))
    for k, (axis, side) in enumerate(faces):
        wide, long = (axis + 1) % 3, (axis + 2) % 3
        behind, smaller = (0.0, radius) if axis == thin else (_BEHIND * radius, 2.0 * radius)
        start[k, axis] = end[k, axis] = side * (half[axis] - radius - behind)
        start[k, long], end[k, long] = smaller - half[long], half[long] - smaller
        across[k, wide] = half[wide] - smaller
        inside[k, axis] = -start[k, axis]
    return _Parts(start, end, across, np.full(len(faces), radius), inside)


def _hull(vertices: ArrayLike, triangles: ArrayLike) -> tuple[Floats, Ints]:
    """Vertices (v, 3) and triangles (t, 3) of what holds something."""
    points = finite("vertices", vertices, (len(np.atleast_1d(vertices)), 3))
    corners = indices("triangles", np.asarray(triangles).ravel(), 0, len(points) - 1, "3 t").reshape(-1, 3)
    if len(corners) < 4 or _mass_of_hull(points, corners).volume <= 1e-9 * float(np.ptp(points, axis=0).max()) ** 3:
        raise SolverError("the hull encloses nothing, or its triangles look inwards")
    return points, corners


def _mass_of_hull(points: Floats, corners: Ints) -> _Mass:
    """From the tetrahedra between the triangles and the origin."""
    a = points[corners]
    six = np.einsum("ij,ij->i", a[:, 0], np.cross(a[:, 1], a[:, 2]))
    volume = max(float(six.sum()) / 6.0, 1e-300)
    total = a.sum(axis=1)
    first = (six[:, None] * total).sum(axis=0) / 24.0
    products = np.einsum("tki,tkj->tij", a, a) + total[:, :, None] * total[:, None, :]
    return _Mass(volume, first / volume, (six[:, None, None] * products).sum(axis=0) / 120.0)


def _parts_of_hull(points: Floats, corners: Ints) -> _Parts:
    """A capsule for each edge, and plates a hair behind each face, which cover it."""
    normal = np.cross(points[corners[:, 1]] - points[corners[:, 0]], points[corners[:, 2]] - points[corners[:, 0]])
    area = np.linalg.norm(normal, axis=1)
    corners, normal = corners[area > 0.0], normal[area > 0.0] / area[area > 0.0, None]
    middle = _mass_of_hull(points, corners).centre
    depth = np.einsum("ij,ij->i", points[corners[:, 0]] - middle, normal)
    radius = _ROUNDED * float(depth.min())
    inset = points.copy()
    for i in np.unique(corners):  # by the radius at least from all faces that meet there
        meeting = normal[(corners == i).any(axis=1)]
        way = np.linalg.lstsq(meeting, np.full(len(meeting), -radius), rcond=1e-3)[0]
        inset[i] += way * (radius / max(float((-meeting @ way).min()), 0.5 * radius))
    edges = np.unique(np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    face, plates, share = _plates_of(points, corners, normal)
    behind = inset + _BEHIND * _ROUNDED * (middle - inset)
    corner, along, across = behind[plates[:, 0]], *(behind[plates[:, k]] - behind[plates[:, 0]] for k in (1, 2))
    is_wide = np.linalg.norm(np.cross(along, across), axis=1) > (_NARROW * radius) ** 2
    corner, along, across, face, share = (x[is_wide] for x in (corner, along, across, face, share[:, None]))
    start, nothing = corner + 0.5 * share * across, np.zeros((len(edges), 3))
    thin = np.full(len(face), np.inf)
    for u, v in ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)):  # it is thinnest at a corner of what is convex
        at = corner + share * (u * along + v * across)
        thin = np.minimum(thin, _thickness(at, normal[face], normal, points[corners[:, 0]]))
    thin = np.clip(thin, _LEAST_BEHIND * radius, depth[face])
    return _Parts(
        np.concatenate([inset[edges[:, 0]], start]), np.concatenate([inset[edges[:, 1]], start + share * along]),
        np.concatenate([nothing, 0.5 * share * across]), np.full(len(edges) + len(start), radius),
        np.concatenate([nothing, -thin[:, None] * normal[face]]),
    )  # fmt: skip


def _thickness(at: Floats, out: Floats, normal: Floats, on: Floats) -> Floats:
    """(p,) m: how far it is from places at (p, 3) against directions out (p, 3) to where one leaves the hull whose
    faces have these normals (t, 3) and places on them (t, 3)."""
    room, leaves = np.einsum("tj,tj->t", normal, on) - at @ normal.T, -out @ normal.T
    way = np.divide(room, leaves, out=np.full(room.shape, np.inf), where=leaves > 1e-9)
    return np.asarray(way.min(axis=1))


def _plates_of(points: Floats, corners: Ints, normal: Floats) -> tuple[Ints, Ints, Floats]:
    """Parallelograms that cover the faces of a hull: (p,) the triangle of each, (p, 3) a corner and two more, and (p,)
    by which share of the ways to these it goes. Two triangles that make one have it alone; any other has one at each
    corner, half as long as its sides: no point of it is far from all corners."""
    by_edge: dict[tuple[int, int], int] = {}
    found: list[tuple[int, tuple[int, int, int], float]] = []
    is_covered = np.zeros(len(corners), dtype=bool)
    for t, own in enumerate(corners.tolist()):
        for k in range(3):
            i, j, apex = own[k], own[(k + 1) % 3], own[(k + 2) % 3]
            other = by_edge.get((j, i), -1)
            by_edge[i, j] = t
            if other < 0 or is_covered[[t, other]].any() or normal[t] @ normal[other] < 1.0 - _EVEN:
                continue
            far = next(v for v in corners[other].tolist() if v not in (i, j))
            off = np.abs(points[apex] + points[far] - points[i] - points[j]).max()
            if off <= _EVEN * np.abs(points[i] - points[j]).max():
                is_covered[[t, other]] = True
                found.append((t, (apex, i, j), 1.0))
    for t, (i, j, k) in enumerate(corners.tolist()):
        if not is_covered[t]:
            found += [(t, (i, j, k), 0.5), (t, (j, k, i), 0.5), (t, (k, i, j), 0.5)]
    face, plates, share = zip(*found, strict=True)
    return np.array(face), np.array(plates), np.array(share)
