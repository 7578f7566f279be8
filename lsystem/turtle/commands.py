# SPDX-License-Identifier: GPL-3.0-or-later
"""What the turtle does at each symbol, with what parameters; read for all modules of a string at once.

The result is a list of actions with plain numbers, which `turtle` then follows one after the other.
"""

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Flags, Floats, Integers
from ..base.brackets import check_brackets, uncut_mask
from ..base.errors import LSystemError
from ..base.module_string import ModuleString
from ..base.organs import BLADES, DEFAULT_SIZE, FLOWER, ORGAN_SYMBOLS, PETIOLE, STEM, THICKNESS
from ..base.settings import SETTINGS
from ..language.grammar import Grammar
from ..language.production_parser import QUESTIONS

LARGEST = 1e5
"""Metres; the bound of lengths, radii and coordinates."""
MOST_PIECES = 64
_NOTHING_YET = 1e-9
"""Metres."""

(NOTHING, ORGAN, STEP, STEP_UNSEEN, MOVE, TURN, AROUND, LEVEL, WIDTH, COLOUR, PUSH, POP, BEGIN, VERTEX, END, SET,
 PLACE, AIM, FACE, SHIFT, ASK, KNOT, PATCH,
 LEAN, PULL, ROLL, KEEP, BEND, SHEET, TUBE) = range(30)  # fmt: skip
"""What the turtle can do."""
CUT = "?%"
"""A cut with a number, which asks where the turtle is."""


@dataclass(frozen=True)
class Command:
    """What a symbol does, and the parameters that it may have."""

    action: int
    parameters: tuple[str, ...] = ()
    fewest: int = 0
    """So many parameters at least; an organ may also have none."""
    organ: int = STEM
    turn: tuple[int, float] = (0, 0.0)
    """Local axis (x is R, y is H, z is U) and sense."""

    def takes(self, count: int) -> bool:
        """Whether it may have so many parameters."""
        return self.fewest <= count <= len(self.parameters) or (not count and self.action == ORGAN)

    def refusal(self, count: int) -> str:
        """Why it cannot have so many parameters."""
        names = f"({', '.join(self.parameters)})" if self.parameters else "no parameters"
        if self.action == ORGAN:
            return f"{names} or nothing"
        if self.action == SET:
            names = f"{self.fewest} parameter" + "s" * (self.fewest > 1)
        return f"{names}, not {count} parameters"


_ORGANS = {
    PETIOLE: ("length", "radius"),
    FLOWER: ("length", "diameter", "thickness"),
    **dict.fromkeys(BLADES, ("length", "width", "thickness", "segments", "bend")),
}
_TURNS = {"+": (2, 1.0), "-": (2, -1.0), "&": (0, -1.0), "^": (0, 1.0), "\\": (1, -1.0), "/": (1, 1.0)}
_SIZES = ("length", "radius", "width", "diameter", "thickness")
# parameter -> field of Actions, where this has another name
_COLUMNS = {"segments": "pieces", "number": "pieces", "y": "length", "z": "thickness", "elasticity": "bend"}
_COLUMNS |= dict.fromkeys(("radius", "width", "diameter", "angle", "colour", "value", "x"), "size")

COMMANDS: dict[str, Command] = {
    "F": Command(STEP, ("length", "radius")),
    "G": Command(STEP_UNSEEN, ("length", "radius")),
    "f": Command(MOVE, ("length",)),
    **{sign: Command(TURN, ("angle",), turn=turn) for sign, turn in _TURNS.items()},
    "|": Command(AROUND),
    "$": Command(LEVEL),
    "!": Command(WIDTH, ("diameter",)),
    "'": Command(COLOUR, ("colour",)),
    "[": Command(PUSH),
    "]": Command(POP),
    "{": Command(BEGIN),
    ".": Command(VERTEX),
    "}": Command(END),
    **{symbol: Command(ASK) for symbol in QUESTIONS},
    "@heading": Command(AIM, ("x", "y", "z"), 3),
    "@up": Command(FACE, ("x", "y", "z"), 3),
    # only files of cpfg have these
    CUT: Command(ASK),
    "@M": Command(PLACE, ("x", "y", "z"), 3),
    "@R": Command(AIM, ("x", "y", "z"), 3),
    "@shift": Command(SHIFT, ("x", "y", "z"), 3),
    "@knot": Command(KNOT, ("x", "y", "z"), 3),
    "@patch": Command(PATCH, ("x",), 1),
    "@lean": Command(LEAN, ("x", "y", "z", "elasticity"), 4),
    "@pull": Command(PULL, ("x", "y", "z"), 3),
    "@roll": Command(ROLL, ("x", "y", "z"), 3),
    "@bend": Command(BEND, ("x", "y", "z"), 3),
    "@keep": Command(KEEP, ("x",), 1),
    "@sheet": Command(SHEET, ("number", "x", "y", "z"), 4),
    "@tube": Command(TUBE, ("number", "diameter"), 2),
    **{
        symbol: Command(ORGAN, _ORGANS.get(organ, ("length", "diameter")), 2, organ)
        for symbol, organ in ORGAN_SYMBOLS.items()
    },
    **{
        symbol: Command(SET, setting.parameters, len(setting.parameters))
        for symbol, setting in SETTINGS.items()
    },
}


@dataclass
class Actions:
    """What the turtle is to do, one entry for each module that does anything.

    A setting's value is in ``size``; of a tropism's four the others are in ``length``, ``thickness`` and ``bend``.
    """

    string: ModuleString
    """Without what a cut takes away."""
    uncut: Flags
    """Which modules of the string given these are."""
    module: Integers
    """Which module of the string each action is for."""
    action: Integers
    symbol: list[str]
    """By kind: the turtle's symbol, without a subscript."""
    organ: Integers
    """Of segments: index into ORGANS."""
    length: Floats
    """Metres, of segments and moves."""
    size: Floats
    """Metres; radius, width or diameter of segments, NaN for the current radius. Degrees of turns, value of others."""
    thickness: Floats
    pieces: Integers
    """Of blades; of sheets and tubes the number of what they are drawn by."""
    bend: Floats
    """Degrees, over all pieces of a blade."""
    axis: Integers
    """Of turns."""
    blend: Floats
    """How far a width or a colour has come to be: 1, less while it grows."""
    grown: Floats
    """Of segments, how much of them there is: 1, less while they grow."""

    def error(self, message: str, action: int) -> LSystemError:
        """An error at the module of an action."""
        return self.string.error(int(self.module[action]), message)


def read_actions(string: ModuleString, grammar: Grammar) -> Actions:
    """What the modules of a string tell the turtle. Raises `LSystemError` at the first that it cannot follow."""
    uncut = uncut_mask(string)
    if uncut is None:
        uncut = np.ones(len(string), dtype=np.bool_)
    else:
        string = string.part(uncut)
    return _Reader(string, grammar).actions(uncut)


class _Reader:
    def __init__(self, string: ModuleString, grammar: Grammar) -> None:
        self.string = string
        self.grammar = grammar
        # F_l draws as F does; only letters carry subscripts
        self.symbols = [symbol[0] if symbol[1:2] == "_" else symbol for symbol in string.table.symbols]
        self.wrong: tuple[int, str] | None = None

    def actions(self, uncut: Flags) -> Actions:
        string, grammar = self.string, self.grammar
        commands = [COMMANDS.get(symbol, Command(NOTHING)) for symbol in self.symbols]
        action_of = np.array([command.action for command in commands], dtype=np.int64)
        organ_of = np.array([command.organ for command in commands], dtype=np.int64)
        module = np.flatnonzero(action_of[string.kinds] != NOTHING)
        kinds = string.kinds[module]
        count = len(module)
        actions = Actions(
            string, uncut, module, action_of[kinds], self.symbols, organ_of[kinds],
            np.full(count, grammar.length * grammar.unit), np.full(count, np.nan), np.full(count, np.nan),
            np.ones(count, dtype=np.int64), np.zeros(count), np.zeros(count, dtype=np.int64),
            *(np.ones(count) for _ in ("blend", "grown")),
        )  # fmt: skip
        for kind in np.unique(kinds).tolist():
            self.read(actions, kind, commands[kind], np.flatnonzero(kinds == kind))
        self.check_polygons(actions)
        if self.wrong is not None:
            raise string.error(*self.wrong)
        check_brackets(string)
        return actions

    def blame(self, modules: Integers, message: str) -> None:
        """Remember an error at the first of some modules, if it comes before all others."""
        if len(modules) and (self.wrong is None or modules[0] < self.wrong[0]):
            self.wrong = int(modules[0]), message

    def read_of(self, command: Command, count: int) -> int:
        """How many of so many parameters are read."""
        limit = self.grammar.most_parameters
        if limit is None or command.action in (ORGAN, SET) or command.action >= PLACE:
            return count
        return min(count, limit, len(command.parameters))

    def read(self, actions: Actions, kind: int, command: Command, rows: Integers) -> None:
        """Read the parameters of the modules of one kind."""
        modules = actions.module[rows]
        symbol = self.symbols[kind]
        given = self.string.columns(modules)
        count = 0 if command.action == ASK else self.read_of(command, len(given))
        if not command.takes(count):
            self.blame(modules[:1], f"{symbol} takes {command.refusal(len(given))}: {{module}}")
            return
        axis, sense = command.turn
        if command.action == ORGAN:
            actions.length[rows], actions.size[rows] = DEFAULT_SIZE[command.organ]
            actions.thickness[rows] = THICKNESS.get(command.organ, 0.0)
        elif command.action == TURN:
            actions.axis[rows] = axis
            actions.size[rows] = sense * self.grammar.angle
        for name, values in zip(command.parameters, given[:count], strict=False):
            if command.action == SET:
                setting = SETTINGS[symbol]
                refused = np.array([not setting.allowed(value) for value in values.tolist()], dtype=np.bool_)
                self.blame(modules[refused], f"{symbol} {setting.limit}: {{module}}")
            elif name in _SIZES:
                values = self.metres(modules, values, name)
            elif command.action in (PLACE, SHIFT) or (command.action == SHEET and name != "number"):
                values = values * self.grammar.unit
            elif name == "angle":
                values = sense * values
            elif name == "colour":
                self.whole(modules, values, 0.0, 2.0**31 - 1.0, "a colour must be a whole number from 0: {module}")
            elif name == "segments":
                message = f"a blade has 1 to {MOST_PIECES} whole segments: {{module}}"
                values = np.where(self.whole(modules, values, 1.0, MOST_PIECES, message), values, 1.0)
            getattr(actions, _COLUMNS.get(name, name))[rows] = values

    def metres(self, modules: Integers, values: Floats, what: str) -> Floats:
        """Values that must be sizes, in metres; what grows by its age begins with nothing."""
        values = values * self.grammar.unit
        if self.grammar.draws_its_own_growth:
            values = np.where(values == 0.0, _NOTHING_YET, values)
        good: Flags = (values > 0.0) & (values <= LARGEST)
        self.blame(modules[~good], f"a {what} must be above 0 and at most {LARGEST:g} m: {{module}}")
        return values

    def whole(self, modules: Integers, values: Floats, least: float, most: float, message: str) -> Flags:
        """Which values are whole numbers from one to another."""
        good: Flags = (values == np.floor(values)) & (values >= least) & (values <= most)
        self.blame(modules[~good], message)
        return good

    def check_polygons(self, actions: Actions) -> None:
        depth = np.cumsum((actions.action == BEGIN).astype(np.int64) - (actions.action == END))
        if not len(depth):
            return
        self.blame(actions.module[np.flatnonzero(depth < 0)[:1]], "this '}' closes nothing")
        if self.wrong is None and depth[-1] > 0:
            self.blame(actions.module[np.flatnonzero(actions.action == BEGIN)[-1:]], "this '{' is never closed")
