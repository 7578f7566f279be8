# SPDX-License-Identifier: GPL-3.0-or-later
"""Things in the world that plants touch, as they are given at one frame."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..base.checks import choice, finite, indices, number, truth
from ..base.constants import LARGEST
from ..base.errors import SolverError

Kind = Literal["plane", "ball", "capsule", "box", "mesh"]

#: How many numbers say how large a solid is.
_SIZES = {"plane": 0, "ball": 1, "capsule": 2, "box": 3, "mesh": 0}


@dataclass(frozen=True)
class Collider:
    """One thing, in axes of its own that stand at position (3,) m, turned by orientation (4,), a quaternion.

    kind and size (m): "plane", solid below z = 0; "ball" with its radius; "capsule" with radius and half the length of
    its segment along y; "box" with half its sizes; "mesh" of vertices (v, 3) m and triangles (t, 3), whose corners
    run counterclockwise seen from outside
    name: by which it is known again at the next frame; of one name the first is the first
    friction: Coulomb's coefficient; with a rod's the geometric mean counts. bounce: restitution; the larger one counts
    margin (m): what touches it keeps so far away
    one_sided: a mesh pushes out of its back; else it holds back from the side on which things are
    stickiness (N): what touches it is held at each point until it is drawn off more strongly; the larger one counts
    anchor (3,) m: a place on it whose path it goes where it becomes another kind, whose axes may stand elsewhere; its
    position where none is given
    Whoever takes it raises SolverError for what is not numbers, is out of range or has another shape.
    """

    kind: Kind
    size: ArrayLike = ()
    name: str = ""
    position: ArrayLike = (0.0, 0.0, 0.0)
    orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    vertices: ArrayLike = ()
    triangles: ArrayLike = ()
    friction: float = 0.5
    bounce: float = 0.0
    margin: float = 0.0
    one_sided: bool = False
    stickiness: float = 0.0
    anchor: ArrayLike | None = None

    def checked(self) -> "Collider":
        """The same with arrays of numbers, a unit quaternion and three sizes."""
        choice("collider", self.kind, get_args(Kind))
        size = np.zeros(3)
        given = finite("collider's size", self.size, (_SIZES[self.kind],), 0.0)
        size[: len(given)] = given
        orientation = finite("collider's orientation", self.orientation, (4,))
        norm = float(np.linalg.norm(orientation))
        if abs(norm - 1.0) > 1e-3:
            raise SolverError(f"the orientation of collider {self.name!r} is not a unit quaternion")
        vertices, triangles = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
        if self.kind == "mesh":
            vertices = finite("collider's vertices", self.vertices, (len(np.atleast_1d(self.vertices)), 3))
            triangles = self._corners(len(vertices))
        position = finite("collider's position", self.position, (3,))
        anchor = position if self.anchor is None else finite("collider's anchor", self.anchor, (3,))
        return Collider(
            self.kind, size, self.name, position, orientation / norm, vertices, triangles,
            number("friction", self.friction, 0.0, LARGEST),
            number("bounce", self.bounce, 0.0, 1.0), number("margin", self.margin, 0.0, LARGEST),
            truth("one_sided", self.one_sided), number("stickiness", self.stickiness, 0.0, LARGEST), anchor,
        )  # fmt: skip

    def _corners(self, vertices: int) -> np.ndarray:
        triangles = np.asarray(self.triangles)
        if triangles.ndim != 2 or triangles.shape[1] != 3 or len(triangles) == 0:
            raise SolverError(f"collider {self.name!r} has no triangles: their shape is {triangles.shape}")
        flat = indices("collider's triangles", triangles.ravel(), 0, vertices - 1, "3 t")
        return np.ascontiguousarray(flat.reshape(-1, 3))
