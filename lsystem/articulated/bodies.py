# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulated-body strings: explicit rigid bodies B and spherical joints J (Garcia 2023, section 5.2).

    B(mass, cx, cy, cz, ox, oy, oz, ix, iy, iz)      kg, m, m, kg m2
    J(rest x, y, z, initial x, y, z, stiffness x, y, z)   rad, rad, N m/rad

c leads from the body's inboard joint to its centre of mass, o from there to its outboard joint, i is the diagonal of
the inertia tensor about the inboard joint. Triples go x, y, z = turtle's right, heading, up; joint angles are
intrinsic XYZ Euler angles. Every path from base to tip reads B(JB)*; other modules may stand anywhere and are skipped.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Flags, Floats, Integers
from ..base.errors import LSystemError
from ..base.module_string import Module, ModuleString
from ..language.parser import parse_modules

BODY_PARAMETERS = 10
JOINT_PARAMETERS = 9


@dataclass(frozen=True)
class ArticulatedBodies:
    """n bodies in the order of the string, parents before children; body 0 is the fixed root, its joint arrays 0."""

    parent: Integers
    """(n) index of the parent, -1 for the root."""
    starts_branch: Flags
    """(n) the body's joint is the first after a bracket."""
    mass: Floats
    """(n) kg."""
    com: Floats
    """(n, 3) inboard joint -> centre of mass, m, in the body's frame."""
    outboard: Floats
    """(n, 3) centre of mass -> outboard joint, m, in the body's frame."""
    inertia: Floats
    """(n, 3) diagonal of the inertia tensor about the inboard joint, kg m2."""
    rest_angles: Floats
    """(n, 3) rad, intrinsic XYZ, from the parent's frame."""
    initial_angles: Floats
    """(n, 3) rad, to be added to the rest angles."""
    stiffness: Floats
    """(n, 3) N m/rad."""

    def __len__(self) -> int:
        return len(self.parent)


def is_articulated(modules: Iterable[Module]) -> bool:
    """Whether a string is meant as articulated bodies: it has a B or a J with as many parameters as these take."""
    wanted = {("B", BODY_PARAMETERS), ("J", JOINT_PARAMETERS)}
    if isinstance(modules, ModuleString) and not wanted & modules.table.kinds.keys():
        return False
    return any((module.symbol, len(module.params)) in wanted for module in modules)


def read_articulated(
    modules: Iterable[Module] | str,
    prune_below_mass: float = 0.0,
    prune_below_length: float = 0.0,
    source: str = "text",
) -> ArticulatedBodies:
    """Read derived modules, or the text of a bare string.

    Infantile bodies, lighter than ``prune_below_mass`` (kg) or shorter from joint to joint than ``prune_below_length``
    (m), are left out with all that grows on them; the root stays.
    Raises `LSystemError` with the place of the module that breaks the structure or has an impossible parameter.
    """
    if isinstance(modules, str):
        modules = parse_modules(modules, source)
    reader = _Reader(source)
    for module in modules:
        reader.read(module)
    return _kept(reader.finish(), prune_below_mass, prune_below_length)


@dataclass
class _Path:
    """Where a base-to-tip path has come to."""

    body: int = -1
    joint: Module | None = None
    """The joint that waits for its body."""
    bracket: Module | None = None
    """The first bracket opened since that joint."""
    in_branch: bool = False
    """A bracket was opened since the last body."""


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.path = _Path()
        self.stack: list[tuple[_Path, Module]] = []
        self.parents: list[int] = []
        self.branches: list[bool] = []
        self.bodies: list[tuple[float, ...]] = []
        self.joints: list[tuple[float, ...]] = []

    def error(self, message: str, module: Module) -> LSystemError:
        return LSystemError(message, module.line, module.column, self.source)

    def read(self, module: Module) -> None:
        if module.symbol == "B":
            self.body(module)
        elif module.symbol == "J":
            self.joint(module)
        elif module.symbol == "[":
            self.stack.append((replace(self.path), module))
            self.path.in_branch = True
            if self.path.joint is not None and self.path.bracket is None:
                self.path.bracket = module
        elif module.symbol == "]":
            if not self.stack:
                raise self.error("this ']' closes nothing", module)
            outside, _ = self.stack.pop()
            if self.path.joint is not outside.joint:
                self.joint_has_body()
            self.path = outside

    def body(self, module: Module) -> None:
        path = self.path
        self.no_branch_after_joint()
        if path.joint is None:
            if path.body >= 0:
                raise self.error("two bodies B in succession; a joint J must connect them", module)
            if self.bodies:
                raise self.error("a second root body B; all bodies must hang together", module)
        self.check_body(module)
        self.parents.append(path.body)
        self.branches.append(path.body >= 0 and path.in_branch)
        self.bodies.append(module.params)
        self.joints.append(path.joint.params if path.joint else (0.0,) * JOINT_PARAMETERS)
        self.path = _Path(body=len(self.bodies) - 1)

    def joint(self, module: Module) -> None:
        self.no_branch_after_joint()
        if self.path.joint is not None:
            raise self.error("two joints J in succession; a body B must lie between them", module)
        if self.path.body < 0:
            raise self.error("a joint J without a body B before it; the string starts with the root body", module)
        self.check_count(module, JOINT_PARAMETERS, "3 rest angles, 3 initial angles, 3 spring constants")
        if min(module.params[6:]) < 0.0:
            raise self.error("a spring constant must not be negative", module)
        self.path.joint = module

    def no_branch_after_joint(self) -> None:
        if self.path.bracket is not None:
            raise self.error("a branch cannot start right after a joint J", self.path.bracket)

    def joint_has_body(self) -> None:
        if self.path.joint is not None:
            raise self.error("this joint J has no body B after it", self.path.joint)

    def check_count(self, module: Module, count: int, meaning: str) -> None:
        if len(module.params) != count:
            raise self.error(f"{module.symbol} needs {count} parameters ({meaning}), not {len(module.params)}", module)
        if not all(map(math.isfinite, module.params)):
            raise self.error("a parameter is not a finite number", module)

    def check_body(self, module: Module) -> None:
        self.check_count(module, BODY_PARAMETERS, "mass, 3 to the centre of mass, 3 to the outboard joint, 3 inertia")
        mass, com, inertia = module.params[0], module.params[1:4], module.params[7:]
        if mass < 0.0 or min(inertia) < 0.0:
            raise self.error("mass and inertia must not be negative", module)
        if self.path.body < 0:
            return  # the root never moves
        if mass == 0.0 or min(inertia) == 0.0:
            raise self.error("mass and inertia of a body that moves must be above 0", module)
        squares = [c * c for c in com]
        for axis in range(3):
            # the parallel axis theorem; a point mass may have just this much, rounding aside
            least = mass * (sum(squares) - squares[axis])
            if inertia[axis] < least * (1.0 - 1e-9):
                raise self.error(
                    f"the {'xyz'[axis]} inertia about the joint is below mass times distance squared, {least:g} kg m2",
                    module,
                )

    def finish(self) -> ArticulatedBodies:
        if self.stack:
            raise self.error("this '[' is never closed", self.stack[-1][1])
        self.joint_has_body()
        if not self.bodies:
            raise LSystemError("no body B in the string", source=self.source)
        bodies = np.array(self.bodies, dtype=np.float64)
        joints = np.array(self.joints, dtype=np.float64)
        return ArticulatedBodies(
            parent=np.array(self.parents, dtype=np.int64),
            starts_branch=np.array(self.branches, dtype=np.bool_),
            mass=bodies[:, 0].copy(),
            com=bodies[:, 1:4].copy(),
            outboard=bodies[:, 4:7].copy(),
            inertia=bodies[:, 7:10].copy(),
            rest_angles=joints[:, 0:3].copy(),
            initial_angles=joints[:, 3:6].copy(),
            stiffness=joints[:, 6:9].copy(),
        )


def _kept(bodies: ArticulatedBodies, lightest: float, shortest: float) -> ArticulatedBodies:
    reach = np.linalg.norm(bodies.com + bodies.outboard, axis=1)
    keep = (bodies.mass >= lightest) & (reach >= shortest)
    keep[0] = True
    for index, parent in enumerate(bodies.parent):
        keep[index] &= parent < 0 or keep[parent]
    if keep.all():
        return bodies
    new_index = np.cumsum(keep) - 1
    parent = bodies.parent[keep]
    arrays = {name: array[keep] for name, array in vars(bodies).items()}
    return ArticulatedBodies(**{**arrays, "parent": np.where(parent < 0, -1, new_index[parent])})
