# SPDX-License-Identifier: GPL-3.0-or-later
"""What cpfg's turtle does at the modules of a string, said in modules of our own turtle.

cpfg reads `@`, `~` and `?` together with the next letters, counts colours and widths up and down, and has its world's y
axis upwards: its (x, y, z) is our (x, -z, y). Its U points to where ours has its lower side, so that `&` turns alike,
and its two rolls are each other's.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..base.arrays import Integers
from ..base.module_string import Module, ModuleString, SlotTable
from ..base.whole_numbers import as_int
from ..language.beside.kinds import COLOURS, View
from ..language.cpfg.words import behind
from ..language.grammar import Grammar
from ..language.production_parser import QUESTIONS
from .commands import CUT
from .cpfg_state import State, changed_elasticities, measures_of, pixel_of, pulls_of
from .cpfg_surfaces import ORGANS, Shapes, ShapeTable, lit_colour
from .tubes import BEGIN, CLOSE, CURVES, END, FORGET, GO_ON, RINGS, rings_of, slopes_of

_THINNEST = 1e-7
_TURNS = {"+": "+", "-": "-", "&": "&", "^": "^", "/": "\\", "\\": "/"}
_ACTIVE = frozenset("FGfgs[]|;,#!{}._~@?$%") | _TURNS.keys()
"""Symbols that do something, or begin a word that does."""
_SLENDEREST = 0.02
"""Widths of segments by their lengths; lines as thin as nothing would bend without end."""


@dataclass(frozen=True)
class Translated:
    """A string in our symbols, and for each of its modules the one of cpfg's string that it comes from."""

    string: ModuleString
    origin: Integers
    at_cuts: Mapping[int, State]
    """What has been counted at cuts with a number, by their places in cpfg's string."""
    shapes: Shapes = field(default_factory=Shapes)
    """What its modules name by numbers."""


def in_own_symbols(string: ModuleString, grammar: Grammar, shapes: ShapeTable | None = None) -> Translated:
    """The string as our turtle reads it; any string but one of cpfg is so already. shapes: where those of another one
    are, whose numbers are to be the same."""
    if grammar.program is None:
        return Translated(string, np.arange(len(string)), {})
    return _Translator(string, grammar.program.beside.view, grammar, shapes).translated()


class _Translator:
    def __init__(self, string: ModuleString, view: View, grammar: Grammar, shapes: ShapeTable | None) -> None:
        self.string = string
        self.view = view
        self.table = SlotTable(grammar.source)
        self.known: dict[tuple[int, str, int], int] = {}
        self.slots: list[int] = []
        self.values: list[float] = []
        self.origin: list[int] = []
        self.module = 0
        self.pixel = grammar.widths * (pixel_of(string, view.step) if view.in_pixels else 1.0)
        elasticities = (view.elasticity, *(tropism.elasticity for tropism in view.tropisms))
        width = max(view.width * self.pixel, _THINNEST)
        # told is what the grammar's header has
        self.start = self.state = State(width, view.colour, elasticities, view.scale, told=(view.width, 0))
        self.start = self.state = self.start._replace(tube=self.start.tube._replace(twists=view.tubes_twist))
        self.stack: list[State] = []
        self.at_cuts: dict[int, State] = {}
        self.untwists = bool(view.tropisms) or any(symbol in ("R", "T") for symbol, _ in string.table.kinds)
        """Whether anything is without twist, which counts from the last segment."""
        self.has_parts = ("%", 2) in string.table.kinds
        """Whether parts that were cut may stand behind the plant: each is drawn for itself."""
        self.kinds = list(string.table.kinds)
        self.scales = [view.scale]
        """Of the L-systems that are called within each other."""
        self.shapes = ShapeTable(view.contours) if shapes is None else shapes
        self.polygons = 0

    def translated(self) -> Translated:
        """Walk along the string."""
        string = self.string
        symbols, first = string.table.symbols, string.first.tolist()
        kinds, counts, values = string.kinds.tolist(), string.parameters.tolist(), string.values.tolist()
        inert = [symbol not in _ACTIVE for symbol in symbols]
        odd = not np.isfinite(string.values).all()
        n = len(kinds)
        if self.has_parts and n:
            self.add("[")
        place = 0
        while place < n:
            if inert[kinds[place]]:
                place += 1
                continue
            self.module = place
            word = symbols[kinds[place]]
            parameters = values[first[place] : first[place] + counts[place]]
            if word in "@~?" and (taken := behind(word, len(parameters), self.following(place))):
                place += taken
                word += "".join(symbols[kind] for kind in kinds[place - taken + 1 : place + 1])
                parameters = values[first[place] : first[place] + counts[place]]
                if word[0] == "?":
                    self.module = place  # the module that the answer is for
            place += 1
            if odd and not all(map(math.isfinite, measures_of(word, parameters))):
                raise string.error(self.module, f"the turtle goes by finite numbers only: {Module(word, parameters)}")
            self.word(word, parameters)
        self.module = max(n - 1, 0)
        if n:
            self.close()
        slots, origin = np.array(self.slots, dtype=np.int32), np.array(self.origin, dtype=np.int64)
        born = string.born[origin] if len(origin) else string.born[:0]
        result = ModuleString(self.table, slots, np.array(self.values, dtype=np.float64), born, string.time)
        return Translated(result, origin, self.at_cuts, self.shapes.shapes)

    def following(self, place: int) -> list[tuple[str, int]]:
        """The next two modules behind a place: symbols, and how many parameters they have."""
        return [self.kinds[kind] for kind in self.string.kinds[place + 1 : place + 3].tolist()]

    def close(self) -> None:
        """Close all that is open."""
        for closing, count in (("}", self.polygons), ("]", len(self.stack) + self.has_parts)):
            for _ in range(count):
                self.add(closing)
        self.polygons = 0
        self.stack.clear()

    def cut(self, parameters: list[float]) -> None:
        """A cut with a number asks where it is; behind one with two stands what was cut, and is drawn where it was."""
        if len(parameters) == 1:
            self.at_cuts[self.module] = self.state
            self.add(CUT)
        elif len(parameters) == 2 and (number := as_int(parameters[1])) in self.string.turtles:
            turtle = self.string.turtles[number]
            self.close()
            self.add("[")
            for symbol, vector in (("@M", turtle.place), ("@R", turtle.heading), ("@up", turtle.up)):
                self.add(symbol, *vector)
            self.state = State(*turtle.counted)._replace(told=self.start.told, in_tube=False)

    def add(self, symbol: str, *parameters: float) -> None:
        """Write a module of ours."""
        slot = int(self.string.slots[self.module])
        key = (slot, symbol, len(parameters))
        if key not in self.known:
            self.known[key] = self.table.add(symbol, len(parameters), *self.string.table.place(slot))
        self.slots.append(self.known[key])
        self.values += parameters
        self.origin.append(self.module)

    def word(self, word: str, parameters: list[float]) -> None:
        """Say what a module of cpfg, with the letters that belong to it, does."""
        turn = _TURNS.get(word)
        if turn is not None:
            self.add(turn, *(parameters[:1] or [self.view.angle]))
        elif word in ("F", "G", "f", "g"):
            self.forward(word, (parameters[0] if parameters else self.view.step) * self.state.scale)
        elif word == "[":
            if self.state.in_tube and self.state.has_moved:
                self.control_point(GO_ON)  # what branches off here stands on the tube
            self.stack.append(self.state)
            self.add("[")
        elif word == "]":
            if self.stack:
                self.state = self.stack.pop()
                self.add("]")
        elif word in (";", ","):
            self.colour(parameters, 1 if word == ";" else -1)
        elif word in ("#", "!"):
            self.width(parameters, 1.0 if word == "#" else -1.0)
        elif word in ("{", "}", "."):
            self.outline(word, parameters)
        elif word == "_":
            old = self.state.elasticities
            value = parameters[0] if parameters else old[0] + self.view.elasticity_increment
            self.state = self.state._replace(elasticities=(value, *old[1:]))
        elif word in ("|", *QUESTIONS):
            self.add(word)
        elif word == "s" and 2 <= len(parameters) <= 3:  # as files wrote it before there was ?P
            self.add("?P")
        elif word == "%":
            self.cut(parameters)
        elif word == "?" and parameters:
            self.scales.append(self.scales[-1] * (parameters[1] if len(parameters) > 1 else 1.0))
            self.rescale(self.scales[-2])
        elif word == "$" and len(self.scales) > 1:
            self.rescale(self.scales.pop())
        elif word[:1] == "~" and len(word) > 1:
            self.surface(word[1], parameters)
        elif word[:1] == "@":
            self.blackbox(word[1:], parameters)

    def forward(self, word: str, length: float) -> None:
        """Go ahead; backwards, if the length is negative, after turning around. Tropisms turn the turtle before, the
        old one behind."""
        pulls = pulls_of(self.state.elasticities, self.view) if any(self.state.elasticities[1:]) else ()
        for symbol, *parameters in pulls:
            self.add(symbol, *parameters)
        self.go(word, length)
        if pull := self.state.elasticities[0]:
            x, y, z = (pull * part for part in self.view.tropism)
            self.add("@bend", x, -z, y)
        if self.untwists and word in ("F", "G"):
            self.add("@keep", 0.0)

    def go(self, word: str, length: float) -> None:
        """The move itself."""
        if not length:
            return
        in_tube = self.state.in_tube and not self.polygons
        draws = word in ("F", "G") and not in_tube
        symbol = word if draws and not self.polygons else "f"
        if self.polygons and word in ("G", "g"):
            symbol = "G"
        self.tell(draws, abs(length), 0 if self.view.in_pixels else self.state.texture)
        if length < 0.0:
            self.add("|")
        self.add(symbol, abs(length))
        if length < 0.0:
            self.add("|")
        if in_tube:
            if not self.state.has_moved:
                self.state = self.state._replace(has_moved=True)
            if self.state.points_alone and word in ("F", "f"):
                self.control_point(GO_ON)

    def begin_tube(self, is_spline: bool, is_closed: bool, rings: int, points_alone: bool) -> None:
        """What control points from here on belong to; rings: in how many pieces between each other, 0: the usual."""
        pieces = rings if rings > 0 else RINGS
        tube = self.state.tube._replace(is_spline=is_spline, is_closed=is_closed, pieces=pieces)
        self.state = self.state._replace(tube=tube, in_tube=True, points_alone=points_alone)

    def control_point(self, does: int, pieces: int = 0) -> None:
        """A tube comes to here, begins or ends; does: one of tubes' constants. pieces: 0 as many as it has."""
        state = self.state
        leaf = state.tube.contour in self.shapes.flat
        style = state.tube._replace(does=does, pieces=pieces if pieces > 0 else state.tube.pieces, is_leaf=leaf)
        self.tell_colour(state.tube_texture)
        self.add("@tube", float(self.shapes.of_style(style)), max(state.width, _THINNEST))
        goes_on = does not in (END, CLOSE)
        alone = goes_on and state.points_alone
        self.state = self.state._replace(
            in_tube=goes_on, has_moved=False, points_alone=alone, tube_texture=state.texture
        )

    def tell(self, draws: bool, length: float = 0.0, texture: int = 0) -> None:
        """Say what has been counted and is now needed, for a segment of a length."""
        if draws and not self.polygons:
            wanted = max(self.state.width, _SLENDEREST * length)
            if self.state.told[0] != wanted:
                self.add("!", wanted)
                self.state = self.state._replace(told=(wanted, self.state.told[1]))
        if draws or self.polygons:
            self.tell_colour(texture)

    def tell_colour(self, texture: int = 0) -> None:
        """Say the colour, with a texture if there is such a one, if ours has another one."""
        colour = self.state.colour + COLOURS * texture * (0 < texture <= len(self.view.textures))
        if self.state.told[1] != colour:
            self.add("'", float(colour))
            self.state = self.state._replace(told=(self.state.told[0], colour))

    def colour(self, parameters: list[float], sign: int) -> None:
        state, step = self.state, self.view.colour_increment
        colour = as_int(parameters[0]) if parameters else state.colour + sign * step
        self.state = state._replace(colour=colour % COLOURS)

    def width(self, parameters: list[float], sign: float) -> None:
        state, step = self.state, self.view.width_increment
        width = state.width + sign * step * state.scale * self.pixel
        if parameters:
            width = parameters[0] * state.scale * self.pixel
        self.state = state._replace(width=max(width, _THINNEST))

    def outline(self, word: str, parameters: list[float]) -> None:
        """A polygon; with a parameter other than 0 it is a tube, whose vertices are its control points."""
        if word == ".":
            if self.polygons:
                self.add(".")
            elif self.state.points_alone:
                self.control_point(GO_ON, rings_of(parameters[:1]))
        elif parameters and parameters[0]:
            if word == "}":
                self.control_point(CLOSE)
            elif (kind := parameters[0] // 1.0) in CURVES:
                self.begin_tube(*CURVES[kind], rings_of(parameters[1:2]), points_alone=True)
                self.control_point(FORGET)
        elif word == "{":
            self.polygons += 1
            self.add("{")
        elif self.polygons:
            self.tell(False)
            self.polygons -= 1
            self.add("}")

    def surface(self, letter: str, parameters: list[float]) -> None:
        """A surface of the view file as its patches, turned over by negative sizes; else an organ by the letter, which
        has no place within a polygon. The turtle goes on to the surface's end in any case."""
        size = (parameters[0] if parameters else 1.0) * self.state.scale
        factors = [one * self.state.scale for one in parameters[:3]] if len(parameters) > 2 else [size] * 3
        surface = self.view.surfaces.get(letter)
        if not any(factors) or (surface is None and (size <= 0.0 or self.polygons)):
            return
        colour = self.state.colour
        if self.view.lit is not None and surface is not None:
            self.state = self.state._replace(colour=lit_colour(colour, self.view.lit))
        texture = self.view.surface_textures.get(letter, self.state.texture)
        textured = surface is not None and 0 < texture <= len(self.view.textures)
        self.tell(True, texture=texture if textured else 0)
        self.state = self.state._replace(colour=colour)
        if surface is None:  # whose end nobody knows
            self.add("[")
            self.add(ORGANS.get(letter, "~Leaf"), size, 0.5 * size)
            self.add("]")
            return
        for number in self.shapes.of_surface(letter, surface, textured and self.view.textures[texture - 1].over_all):
            self.add("@sheet", float(number), *factors)
        x, y, z = surface.end
        if x or y or z:
            self.add("@shift", -x * size, y * size, -z * size)

    def blackbox(self, word: str, parameters: list[float]) -> None:
        """What `@` does with the letters behind it; those that only light, print or smooth do nothing here."""
        state = self.state
        first = parameters[0] if parameters else None
        if word in ("O", "c", "o", "bc", "bo"):
            diameter = state.width if first is None else first * state.scale
            if diameter > 0.0:
                self.round(word, diameter)
        elif word == "Tx":
            self.state = state._replace(texture=as_int(first or 0))
        elif word == "v":
            self.add("$")
        elif word in ("Tf", "Tp"):
            self.add("@keep", float(word == "Tp"))
        elif word == "PS" and parameters:
            self.add("@knot", parameters[0], -1.0, -1.0)
        elif word == "PC" and len(parameters) >= 3:
            self.add("@knot", *parameters[:3])
        elif word == "PD" and parameters:
            self.tell(True)
            self.add("@patch", parameters[0])
        elif word in ("M", "R") and len(parameters) >= 2:
            x, y, z = (*parameters, 0.0)[:3]
            self.add(f"@{word}", x, -z, y)
            if word == "R" and len(parameters) > 5:
                self.add("@up", -parameters[3], parameters[5], -parameters[4])
            elif word == "R":
                self.add("@keep", 1.0)
        elif word in ("Gs", "Gc", "Ge"):
            does = {"s": BEGIN, "c": GO_ON, "e": END}[word[1]]
            if does == BEGIN or not state.in_tube:
                self.begin_tube(False, False, 0, points_alone=False)
            self.control_point(does, rings_of(parameters[:1]))
        elif word == "Gt" and parameters:
            self.state = state._replace(tube=state.tube._replace(tangents=(parameters[0], parameters[-1:][0])))
        elif word == "Gr" and len(parameters) >= 2:
            self.state = state._replace(tube=state.tube._replace(slopes=slopes_of(parameters)))
        elif word == "#":
            self.state = state._replace(tube=state.tube._replace(contour=as_int(first or 0)))
        elif word in ("Ti", "Td", "Ts"):
            elasticities = changed_elasticities(state.elasticities, word[1], parameters, self.view)
            self.state = state._replace(elasticities=elasticities)
        elif word == "D" and first:
            self.state = state._replace(scale=first)
        elif word in ("Di", "Dd"):
            factor = first or self.view.scale_multiplier
            self.state = state._replace(scale=state.scale * (factor if word == "Di" else 1.0 / factor))

    def rescale(self, before: float) -> None:
        """Take on the scale of the L-system that is called, or that has called."""
        scale = self.scales[-1]
        width = self.state.width * scale / before if before else self.state.width
        self.state = self.state._replace(scale=scale, width=max(width, _THINNEST))

    def round(self, word: str, diameter: float) -> None:
        """A ball or a disc around the turtle, or the line around a disc."""
        self.tell(True)
        if word == "O":
            back, ball = ("@shift", 0.0, -0.5 * diameter, 0.0), ("~Fruit", diameter, diameter)
            for symbol, *values in (("[",), back, ball, ("]",)):
                self.add(symbol, *values)
            return
        line = self.shapes.of_ring(self.state.width / diameter) if word[0] == "b" else self.shapes.of_disc()
        if word[-1] == "o":  # as who looks at the picture sees it, from the front
            self.add("[")
            self.add("@R", 0.0, 0.0, 1.0)
            self.add("@up", 0.0, -1.0, 0.0)
        self.add("@sheet", float(line), diameter, diameter, diameter)
        if word[-1] == "o":
            self.add("]")
