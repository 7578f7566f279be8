# SPDX-License-Identifier: GPL-3.0-or-later
r"""Turtle interpretation: a module string drawn as a skeleton (Prusinkiewicz and Lindenmayer 1990, section 1.5).

The turtle starts at the origin, heading H up along +z, its right side R along +x, its up side U along -y, which is the
frame of a Blender bone that is drawn upwards without roll. `+` turns H to the left, `&` turns H down, away from U, `\`
rolls to the left: L goes down.
"""

import math
from collections.abc import Callable, Iterable

import numpy as np

from .errors import LSystemError
from .grammar import Grammar, Material, Module
from .organs import DEFAULT_SIZE, ORGAN_SYMBOLS, ORGANS, STEM, THICKNESS, rod_of
from .quaternions import Quaternion, Vector, about_axis, heading, multiply
from .skeleton import Skeleton

START: Quaternion = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
"""The turtle's first frame: x right, y along H = +z, z along U = -y."""

SHORTEST_SEGMENT = 1e-5
LARGEST = 1e5
"""Metres; the bound of lengths, radii and coordinates."""

# sign -> (local axis, sense); x is R, y is H, z is U
_TURNS = {"+": (2, 1.0), "-": (2, -1.0), "&": (0, -1.0), "^": (0, 1.0), "\\": (1, -1.0), "/": (1, 1.0)}


def interpret(modules: Iterable[Module], grammar: Grammar, prune_below: float = SHORTEST_SEGMENT) -> Skeleton:
    """Draw a module string.

    Segments shorter than ``prune_below`` (m) are left out, their children go to their parent. Symbols that the turtle
    does not know draw nothing. Raises `LSystemError` at a turtle module with a wrong number of parameters or an
    impossible size, and at brackets that do not match.
    """
    return _Turtle(grammar).draw(modules).prune(prune_below)


class _Turtle:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        # what `[` saves and `]` restores
        self.position: Vector = (0.0, 0.0, 0.0)
        self.frame = START
        self.radius = grammar.radius
        self.parent = -1  # the last segment drawn
        self.branches = False  # the next segment is the first after `[`
        self.lifted = False  # `f` has moved the turtle since the last segment

        self.stack: list[tuple] = []
        self.rows: list[tuple] = []
        self.axes = 0
        self.commands: dict[str, Callable[[Module], None]] = {
            "F": self.forward,
            "f": self.move,
            "!": self.set_diameter,
            "|": self.turn_around,
            "[": self.push,
            "]": self.pop,
            **dict.fromkeys(_TURNS, self.turn),
            **dict.fromkeys(ORGAN_SYMBOLS, self.organ),
        }

    def draw(self, modules: Iterable[Module]) -> Skeleton:
        commands = self.commands
        for module in modules:
            symbol = module.symbol
            # F_l draws as F does; only letters carry subscripts
            command = commands.get(symbol) or (commands.get(symbol[0]) if symbol[1:2] == "_" else None)
            if command is not None:
                command(module)
        if self.stack:
            raise self.error("this '[' is never closed", self.stack[-1][0])
        return self.skeleton()

    def error(self, message: str, module: Module) -> LSystemError:
        return LSystemError(message, module.line, module.column, self.grammar.source)

    def count(self, module: Module, fewest: int, most: int, meaning: str) -> None:
        if not fewest <= len(module.params) <= most:
            raise self.error(f"{module.symbol} takes {meaning}, not {len(module.params)} parameters: {module}", module)

    def size(self, module: Module, value: float, what: str) -> float:
        if not 0.0 < value <= LARGEST:  # also refuses NaN
            raise self.error(f"{what} must be above 0 and at most {LARGEST:g} m: {module}", module)
        return value

    def forward(self, module: Module) -> None:
        self.count(module, 0, 2, "(length, radius)")
        params = module.params
        length = self.size(module, params[0], "a length") if params else self.grammar.length
        radius = self.size(module, params[1], "a radius") if len(params) > 1 else self.radius
        self.segment(module, STEM, length, radius, 0.0)

    def organ(self, module: Module) -> None:
        organ = ORGAN_SYMBOLS[module.symbol]
        second = "radius" if ORGANS[organ] == "petiole" else "width" if ORGANS[organ] == "leaf" else "diameter"
        blade = organ in THICKNESS
        if len(module.params) not in ((0, 2, 3) if blade else (0, 2)):
            meaning = f"(length, {second}, thickness)" if blade else f"(length, {second})"
            raise self.error(f"{module.symbol} takes {meaning} or nothing: {module}", module)
        length, size, *rest = module.params or DEFAULT_SIZE[organ]
        thickness = self.size(module, rest[0], "a thickness") if rest else None
        self.size(module, length, "a length")
        self.size(module, size, f"a {second}")
        radius, width = rod_of(organ, length, size, thickness)
        self.segment(module, organ, length, radius, width)

    def segment(self, module: Module, organ: int, length: float, radius: float, width: float) -> None:
        """Add a segment ahead of the turtle and go to its end."""
        order, axis, radius_base = 0, self.axes, radius
        continues = False
        if self.parent >= 0:
            parent = self.rows[self.parent]
            order = parent[_ORDER] + self.branches
            continues = not self.branches and not self.lifted and parent[_ORGAN] == organ
            if continues:
                axis, radius_base = parent[_AXIS], parent[_RADIUS_TIP]
        self.axes += not continues
        self.rows.append(
            (self.parent, organ, order, axis, radius, radius_base, length, width, *self.position, *self.frame)
        )
        self.position = self.ahead(module, length)
        self.parent = len(self.rows) - 1
        self.branches = self.lifted = False

    def ahead(self, module: Module, length: float) -> Vector:
        x, y, z = self.position
        dx, dy, dz = heading(self.frame)
        position = x + length * dx, y + length * dy, z + length * dz
        if max(map(abs, position)) > LARGEST:
            raise self.error(f"{module} leads further than {LARGEST:g} m from the start", module)
        return position

    def move(self, module: Module) -> None:
        self.count(module, 0, 1, "(length)")
        length = self.size(module, module.params[0], "a length") if module.params else self.grammar.length
        self.position = self.ahead(module, length)
        self.lifted = True

    def turn(self, module: Module) -> None:
        self.count(module, 0, 1, "(angle)")
        axis, sense = _TURNS[module.symbol]
        angle = module.params[0] if module.params else self.grammar.angle
        if not math.isfinite(angle):
            raise self.error(f"the angle is not a finite number: {module}", module)
        self.frame = multiply(self.frame, about_axis(axis, sense * angle))

    def turn_around(self, module: Module) -> None:
        self.count(module, 0, 0, "no parameters")
        self.frame = multiply(self.frame, (0.0, 0.0, 0.0, 1.0))

    def set_diameter(self, module: Module) -> None:
        self.count(module, 1, 1, "(diameter)")
        self.radius = 0.5 * self.size(module, module.params[0], "a diameter")

    def push(self, module: Module) -> None:
        self.count(module, 0, 0, "no parameters")
        self.stack.append((module, self.position, self.frame, self.radius, self.parent, self.branches, self.lifted))
        self.branches = True

    def pop(self, module: Module) -> None:
        self.count(module, 0, 0, "no parameters")
        if not self.stack:
            raise self.error("this ']' closes nothing", module)
        _, self.position, self.frame, self.radius, self.parent, self.branches, self.lifted = self.stack.pop()

    def skeleton(self) -> Skeleton:
        table = np.array(self.rows, dtype=np.float64).reshape(-1, 15)
        whole = table[:, :4].astype(np.int64)
        organ = whole[:, _ORGAN]

        def material(name: str) -> np.ndarray:
            values = [getattr(self.grammar.materials.get(o, Material()), name) for o in ORGANS]
            return np.array(values, dtype=np.float64)[organ]

        return Skeleton(
            parent=whole[:, 0].copy(),
            head=table[:, 8:11].copy(),
            frame=table[:, 11:15].copy(),
            length=table[:, 6].copy(),
            radius_base=table[:, 5].copy(),
            radius_tip=table[:, _RADIUS_TIP].copy(),
            width=table[:, 7].copy(),
            organ=organ.copy(),
            order=whole[:, _ORDER].copy(),
            axis=whole[:, _AXIS].copy(),
            young=material("young"),
            poisson=material("poisson"),
            density=material("density"),
            damping=material("damping"),
        )


# columns of a row: parent, organ, order, axis, radius at the tip and at the base, length, width, position, frame
_ORGAN, _ORDER, _AXIS, _RADIUS_TIP = 1, 2, 3, 4
