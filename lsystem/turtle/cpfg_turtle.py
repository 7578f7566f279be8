# SPDX-License-Identifier: GPL-3.0-or-later
"""cpfg's turtle where it only goes and tells where it is: with its precision and in its order of sums.

Texts compare what they are told with borders that lie exactly on the way, so that the last digit counts. The frame and
the place are in double precision, lengths, scales and elasticities in single. Axes are cpfg's, y upwards.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..base.module_string import ModuleString, single
from ..base.quaternions import Vector
from ..base.saved_turtle import SavedTurtle
from ..base.whole_numbers import as_int
from ..language.beside.kinds import View
from ..language.cpfg.words import behind
from .cpfg_state import rotation_of
from .cpfg_tropisms import Axes, Tropisms, times
from .pulls import cross, dot, length

_DOES = frozenset("FGfgs[]+-&^/\\|_@~?$%")
"""Symbols that lead the turtle elsewhere, ask it, or begin a word that does."""
_START = Axes((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
_UP: Vector = (0.0, 1.0, 0.0)
_HEADING_LEFT, _HEADING_UP, _LEFT_UP = range(3)
_TURNS = {"+": (_HEADING_LEFT, 1.0), "-": (_HEADING_LEFT, -1.0), "&": (_HEADING_UP, 1.0), "^": (_HEADING_UP, -1.0),
          "/": (_LEFT_UP, 1.0), "\\": (_LEFT_UP, -1.0)}  # fmt: skip
"""Which two axes turn, and in which sense."""


@dataclass(frozen=True, slots=True)
class _State:
    """What brackets restore."""

    place: Vector
    axes: Axes
    elasticity: float
    """Of the old tropism, that of `_`."""
    elasticities: list[float]
    """Of those that the view file numbers."""
    scale: float


class CpfgTurtle:
    """Goes along strings, from one to the next with the tropisms as they have become."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.tropisms = Tropisms(view)
        self.saved: Mapping[int, SavedTurtle] = {}
        """By their numbers: where parts that were cut stood."""
        self.begin()

    def begin(self) -> None:
        """Stand at the beginning of a string."""
        view = self.view
        self.place: Vector = (0.0, 0.0, 0.0)
        self.axes = _START
        self.elasticity = single(view.elasticity)
        self.elasticities = self.tropisms.begin()
        self.scale = single(view.scale)
        self.stack: list[_State] = []
        self.scales = [self.scale]
        """Of the L-systems that are called within each other."""
        self.told: dict[int, tuple[float, ...]] = {}
        """By places in the string: what modules that ask are told; the environment has our axes, z upwards."""
        self.at_cuts: dict[int, _State] = {}
        """By places of cuts with a number."""

    def walk(self, string: ModuleString) -> None:
        """Go along a string."""
        self.begin()
        self.saved = string.turtles
        symbols, first = string.table.symbols, string.first.tolist()
        kinds, counts, values = string.kinds.tolist(), string.parameters.tolist(), string.values.tolist()
        does = [symbol in _DOES for symbol in symbols]
        n, place = len(kinds), 0
        while place < n:
            here = place
            place += 1
            if not does[kinds[here]]:
                continue
            symbol = symbols[kinds[here]]
            parameters = values[first[here] : first[here] + counts[here]]
            if symbol not in "@~?":
                self.word(here, symbol, parameters)
                continue
            following = [(symbols[kinds[one]], counts[one]) for one in range(place, min(place + 2, n))]
            taken = behind(symbol, len(parameters), following)
            place += taken
            if not taken:
                self.word(here, symbol, parameters)
            elif symbol == "@":
                last = place - 1
                word = "".join(symbols[kind] for kind in kinds[here + 1 : place])
                self.at(word, values[first[last] : first[last] + counts[last]])
            elif symbol == "~":
                self.surface(following[0][0], values[first[here + 1] : first[here + 1] + counts[here + 1]])
            else:
                self.ask(here + 1, following[0][0])

    def word(self, here: int, symbol: str, parameters: list[float]) -> None:
        """What a module of one letter does."""
        if symbol in _TURNS:
            plane, sense = _TURNS[symbol]
            angle = (parameters[0] if parameters else self.view.angle) * math.pi / 180.0
            if math.isinf(angle):
                angle = math.nan
            self.turn(plane, sense * math.sin(angle), math.cos(angle))
        elif symbol in "FGfg":
            self.forward(symbol, parameters)
        elif symbol == "[":
            self.stack.append(self.state())
        elif symbol == "]":
            if self.stack:
                before, self.elasticities = self.elasticities, self.stack[-1].elasticities
                for number, (value, last) in enumerate(zip(self.elasticities, before, strict=True)):
                    if value != last:
                        self.tropisms.change(number, value - last)
                self.become(self.stack.pop())
        elif symbol == "|":
            self.turn(_HEADING_LEFT, 0.0, -1.0)
        elif symbol == "_":
            more = self.elasticity + single(self.view.elasticity_increment)
            self.elasticity = parameters[0] if parameters else single(more)
        elif symbol == "%":
            self.cut(here, parameters)
        elif symbol == "s" and 2 <= len(parameters) <= 3:
            self.told[here] = self.place
        elif symbol == "?" and parameters:
            self.scales.append(self.scales[-1] * (parameters[1] if len(parameters) > 1 else 1.0))
            self.scale = single(self.scales[-1])
        elif symbol == "$" and len(self.scales) > 1:
            self.scales.pop()
            self.scale = single(self.scales[-1])

    def state(self) -> _State:
        """What brackets restore."""
        return _State(self.place, self.axes, self.elasticity, self.elasticities, self.scale)

    def become(self, state: _State) -> None:
        """Go back to a state."""
        self.place, self.axes, self.elasticity = state.place, state.axes, state.elasticity
        self.elasticities, self.scale = state.elasticities, state.scale

    def turn(self, plane: int, sine: float, cosine: float) -> None:
        """Turn two axes towards each other."""
        heading, left, up, *kept = self.axes
        if plane == _HEADING_LEFT:
            heading, left = _turned(heading, left, sine, cosine)
        elif plane == _HEADING_UP:
            heading, up = _turned(heading, up, sine, cosine)
        else:
            left, up = _turned(left, up, sine, cosine)
        self.axes = Axes(heading, left, up, *kept)

    def forward(self, symbol: str, parameters: list[float]) -> None:
        """Go ahead."""
        axes = self.tropisms.followed(self.axes)
        ahead = single((parameters[0] if parameters else single(self.view.step)) * self.scale)
        (x, y, z), (along_x, along_y, along_z) = self.place, axes.heading
        self.place = x + ahead * along_x, y + ahead * along_y, z + ahead * along_z
        self.axes = axes
        if self.elasticity:
            for plane, axis in ((_HEADING_UP, 2), (_HEADING_LEFT, 1)):
                sine = self.elasticity * dot(self.view.tropism, self.axes[axis])
                sine = min(max(sine, -1.0), 1.0)
                self.turn(plane, sine, math.sqrt(1.0 - sine * sine))
        if symbol in "FG":
            self.axes = self.axes.keeping()

    def at(self, word: str, parameters: list[float]) -> None:
        """What `@` does with the letters behind it."""
        axes = self.axes
        if word == "v":
            if -1.0 < axes.heading[1] < 1.0:
                left = _normalised(cross(_UP, axes.heading))
                self.axes = axes._replace(left=left, up=cross(left, axes.heading))
        elif word == "R" and len(parameters) >= 2:
            self.head(parameters)
        elif word == "M" and len(parameters) >= 2:
            x, y, z = (*parameters, 0.0)[:3]
            self.place = x, y, z
        elif word == "Tp":
            self.axes = axes.untwisted()
        elif word == "Tf":
            self.axes = axes.keeping()
        elif word in ("Ti", "Td", "Ts") and parameters:
            self.change(word[1], parameters)
        elif word == "D" and parameters:
            self.scale = parameters[0]
        elif word in ("Di", "Dd"):
            factor = parameters[0] if parameters else single(self.view.scale_multiplier)
            if factor:
                self.scale = single(self.scale * factor if word == "Di" else self.scale / factor)

    def head(self, parameters: list[float]) -> None:
        """Take on a heading, and perhaps an upper side."""
        x, y, z = (*parameters, 0.0)[:3]
        direction = (x, y, z)
        heading = _normalised(direction) if dot(direction, direction) else _UP
        self.axes = self.axes._replace(heading=heading)
        if len(parameters) >= 6:
            up = (parameters[3], parameters[4], parameters[5])
            self.axes = self.axes._replace(up=up)
            if dot(up, up) and not dot(up, heading):
                up = _normalised(up)
                self.axes = self.axes._replace(up=up, left=cross(heading, up))
                return
        self.axes = self.axes.untwisted()

    def change(self, letter: str, parameters: list[float]) -> None:
        """Change the elasticity of a tropism, by its number from 1."""
        number = as_int(parameters[0] - 1.0)
        if not 0 <= number < len(self.elasticities):
            return
        old = self.elasticities[number]
        more = parameters[1] if len(parameters) > 1 else self.view.tropisms[number].increment
        if letter == "s":
            more = (parameters[1] - old) if len(parameters) > 1 else -old
        elif letter == "d":
            more = -more
        self.elasticities = [*self.elasticities[:number], old + more, *self.elasticities[number + 1 :]]
        self.tropisms.change(number, more)

    def surface(self, letter: str, parameters: list[float]) -> None:
        """Go to the end of a surface, whose lengths are in single precision, as is the place's z then."""
        surface = self.view.surfaces.get(letter)
        if surface is None:
            return
        size = single((parameters[0] if parameters else 1.0) * self.scale)
        x, y, z = map(single, surface.end)
        across, along, down = single(x * size), y * size, single(z * size)
        left, heading, up = self.axes[1], self.axes[0], self.axes[2]
        a, b, c = (
            across * left[axis] + along * heading[axis] + down * up[axis] + self.place[axis] for axis in range(3)
        )
        self.place = a, b, single(c)

    def ask(self, here: int, letter: str) -> None:
        """Note what a module that asks is told."""
        x, y, z = self.place
        if letter == "P":
            self.told[here] = self.place
        elif letter == "E":
            self.told[here] = x, -z, y
        elif letter == "Q":
            self.told[here] = rotation_of(self.axes[:3])
        elif letter in "HLU":
            self.told[here] = self.axes["HLU".index(letter)]

    def cut(self, here: int, parameters: list[float]) -> None:
        """A cut with a number notes the state; a part that was cut goes on with it."""
        if len(parameters) == 1:
            self.at_cuts[here] = self.state()
        elif len(parameters) == 2 and (number := as_int(parameters[1])) in self.saved:
            self.become(self.saved[number].state)


def _normalised(vector: Vector) -> Vector:
    size = length(vector)
    return times(1.0 / size, vector) if size else vector


def _turned(one: Vector, other: Vector, sine: float, cosine: float) -> tuple[Vector, Vector]:
    (a, b, c), (d, e, f) = one, other
    return (
        (cosine * a + sine * d, cosine * b + sine * e, cosine * c + sine * f),
        (cosine * d + -sine * a, cosine * e + -sine * b, cosine * f + -sine * c),
    )
