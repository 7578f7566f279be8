# SPDX-License-Identifier: GPL-3.0-or-later
"""What the turtle does at each symbol, with what parameters; read for all modules of a string at once.

The result is a list of actions with plain numbers, which `turtle` then follows one after the other.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import LSystemError
from ..base.module_string import Floats, Integers, ModuleString, Slots
from ..base.organs import BLADES, DEFAULT_SIZE, FLOWER, ORGAN_SYMBOLS, ORGANS, STEM, THICKNESS
from ..base.settings import SETTINGS
from ..derivation.branches import check_brackets, uncut_mask
from ..language.grammar import Grammar

LARGEST = 1e5
"""Metres; the bound of lengths, radii and coordinates."""
MOST_PIECES = 64
_NOTHING_YET = 1e-9
"""Metres."""

(NOTHING, SEGMENT, STEP, STEP_UNSEEN, MOVE, TURN, AROUND, LEVEL, WIDTH, COLOUR, PUSH, POP, BEGIN, VERTEX, END, SET) = (
    range(16)
)

# sign -> (local axis, sense); x is R, y is H, z is U
_TURNS = {"+": (2, 1.0), "-": (2, -1.0), "&": (0, -1.0), "^": (0, 1.0), "\\": (1, -1.0), "/": (1, 1.0)}


@dataclass(frozen=True)
class Command:
    """What a symbol does, how many parameters it may have and what these mean."""

    action: int
    counts: tuple[int, ...]
    meaning: str
    organ: int = STEM


def _organ(index: int) -> Command:
    second = "radius" if ORGANS[index] == "petiole" else "width" if index in BLADES else "diameter"
    if index in BLADES:
        return Command(SEGMENT, (0, 2, 3, 4, 5), f"(length, {second}, thickness, segments, bend) or nothing", index)
    if index == FLOWER:
        return Command(SEGMENT, (0, 2, 3), f"(length, {second}, thickness) or nothing", index)
    return Command(SEGMENT, (0, 2), f"(length, {second}) or nothing", index)


COMMANDS: dict[str, Command] = {
    "F": Command(SEGMENT, (0, 1, 2), "(length, radius)"),
    "G": Command(SEGMENT, (0, 1, 2), "(length, radius)"),
    "f": Command(MOVE, (0, 1), "(length)"),
    **{sign: Command(TURN, (0, 1), "(angle)") for sign in _TURNS},
    "|": Command(AROUND, (0,), "no parameters"),
    "$": Command(LEVEL, (0,), "no parameters"),
    "!": Command(WIDTH, (0, 1), "(diameter)"),
    "'": Command(COLOUR, (0, 1), "(colour)"),
    "[": Command(PUSH, (0,), "no parameters"),
    "]": Command(POP, (0,), "no parameters"),
    "{": Command(BEGIN, (0,), "no parameters"),
    ".": Command(VERTEX, (0,), "no parameters"),
    "}": Command(END, (0,), "no parameters"),
    **{symbol: _organ(index) for symbol, index in ORGAN_SYMBOLS.items()},
    **{symbol: Command(SET, (setting.parameters,), "") for symbol, setting in SETTINGS.items()},
}


@dataclass
class Actions:
    """What the turtle is to do, one entry for each module that does anything."""

    string: ModuleString
    """Without what a cut takes away."""
    uncut: NDArray[np.bool_]
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
    bend: Floats
    """Degrees, over all pieces of a blade."""
    axis: Integers
    """Of turns."""
    blend: Floats
    """How far a width or a colour has come to be: 1, less while it grows."""
    grown: Floats
    """Of segments, how much of them there is: 1, less while they grow."""

    def error(self, message: str, action: int, source: str) -> LSystemError:
        """An error at the module of an action."""
        return module_error(self.string, int(self.module[action]), message, source)


def module_error(string: ModuleString, index: int, message: str, source: str) -> LSystemError:
    """An error at a module of a string."""
    module = string[index]
    return LSystemError(message.replace("{module}", str(module)), module.line, module.column, source)


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

    def actions(self, uncut: NDArray[np.bool_]) -> Actions:
        string, grammar = self.string, self.grammar
        commands = [COMMANDS.get(symbol) for symbol in self.symbols]
        action_of = np.array([c.action if c else NOTHING for c in commands], dtype=np.int64)
        organ_of = np.array([c.organ if c else STEM for c in commands], dtype=np.int64)
        present = np.unique(string.kinds)
        self.check_counts(present, commands)
        module = np.flatnonzero(action_of[string.kinds] != NOTHING)
        kinds = string.kinds[module]
        count = len(module)
        actions = Actions(
            string, uncut, module, action_of[kinds], self.symbols, organ_of[kinds],
            np.full(count, grammar.length * grammar.unit), np.full(count, np.nan), np.full(count, np.nan),
            np.ones(count, dtype=np.int64), np.zeros(count), np.zeros(count, dtype=np.int64),
            *(np.ones(count) for _ in ("blend", "grown")),
        )  # fmt: skip
        for kind in present.tolist():
            command = commands[kind]
            if command is not None:
                self.read(actions, kind, command, np.flatnonzero(kinds == kind))
        self.check_polygons(actions)
        if self.wrong is not None:
            raise module_error(string, self.wrong[0], self.wrong[1], grammar.source)
        check_brackets(string, grammar.source)
        return actions

    def blame(self, modules: Integers, message: str) -> None:
        """Remember an error at the first of some modules, if it comes before all others."""
        if len(modules) and (self.wrong is None or modules[0] < self.wrong[0]):
            self.wrong = int(modules[0]), message

    def read_of(self, command: Command, count: int) -> int:
        """How many of so many parameters are read."""
        limit = self.grammar.most_parameters
        if limit is None or command.organ != STEM or command.action == SET:
            return count
        return min(count, limit, max(command.counts))

    def check_counts(self, present: Slots, commands: list[Command | None]) -> None:
        counts = [count for _, count in self.string.table.kinds]
        for kind in present.tolist():
            command = commands[kind]
            if command is None or self.read_of(command, counts[kind]) in command.counts:
                continue
            symbol = self.symbols[kind]
            meaning = command.meaning or f"{command.counts[0]} parameter" + "s" * (command.counts[0] > 1)
            first = np.flatnonzero(self.string.kinds == kind)[:1]
            many = "" if meaning.endswith("nothing") else f", not {counts[kind]} parameters"
            self.blame(first, f"{symbol} takes {meaning}{many}: {{module}}")

    def read(self, actions: Actions, kind: int, command: Command, rows: Integers) -> None:
        """Read the parameters of the modules of one kind."""
        count = self.read_of(command, int(self.string.table.parameters_of[self.string.slots[actions.module[rows[0]]]]))
        if count not in command.counts:
            return
        first = self.string.first[actions.module[rows]]
        given = [self.string.values[first + parameter] for parameter in range(count)]
        unit = self.grammar.unit
        symbol = self.symbols[kind]
        if command.action == SEGMENT and command.organ == STEM:
            if given:
                actions.length[rows] = self.size(actions, rows, given[0] * unit, "a length")
            if count > 1:
                actions.size[rows] = self.size(actions, rows, given[1] * unit, "a radius")
            actions.action[rows] = STEP_UNSEEN if symbol == "G" else STEP
        elif command.action == SEGMENT:
            self.read_organ(actions, rows, command.organ, given)
        elif command.action == MOVE and given:
            actions.length[rows] = self.size(actions, rows, given[0] * unit, "a length")
        elif command.action == TURN:
            axis, sense = _TURNS[symbol]
            actions.axis[rows] = axis
            actions.size[rows] = sense * (given[0] if given else self.grammar.angle)
        elif command.action == WIDTH and given:
            actions.size[rows] = self.size(actions, rows, given[0] * unit, "a diameter")
        elif command.action == COLOUR and given:
            whole = (given[0] == np.floor(given[0])) & (given[0] >= 0.0) & (given[0] < 2**31)
            self.blame(actions.module[rows[~whole]], "a colour must be a whole number from 0: {module}")
            actions.size[rows] = given[0]
        elif command.action == SET:
            self.read_setting(actions, rows, symbol, given)

    def read_organ(self, actions: Actions, rows: Integers, organ: int, given: list[Floats]) -> None:
        unit = self.grammar.unit
        if not given:
            actions.length[rows], actions.size[rows] = DEFAULT_SIZE[organ]
        else:
            second = "a radius" if ORGANS[organ] == "petiole" else "a width" if organ in BLADES else "a diameter"
            actions.length[rows] = self.size(actions, rows, given[0] * unit, "a length")
            actions.size[rows] = self.size(actions, rows, given[1] * unit, second)
        actions.thickness[rows] = THICKNESS.get(organ, 0.0)
        if len(given) > 2:
            actions.thickness[rows] = self.size(actions, rows, given[2] * unit, "a thickness")
        if len(given) > 3:
            whole = (given[3] == np.floor(given[3])) & (given[3] >= 1.0) & (given[3] <= MOST_PIECES)
            self.blame(actions.module[rows[~whole]], f"a blade has 1 to {MOST_PIECES} whole segments: {{module}}")
            actions.pieces[rows] = np.where(whole, given[3], 1.0)
        if len(given) > 4:
            actions.bend[rows] = given[4]

    def read_setting(self, actions: Actions, rows: Integers, symbol: str, given: list[Floats]) -> None:
        setting = SETTINGS[symbol]
        for values in given:
            refused = np.array([not setting.allowed(value) for value in values.tolist()], dtype=np.bool_)
            self.blame(actions.module[rows[refused]], f"{symbol} {setting.limit}: {{module}}")
        actions.size[rows] = given[0]
        if len(given) > 1:
            # a tropism: direction in place of sizes, elasticity last
            actions.length[rows], actions.thickness[rows], actions.bend[rows] = given[1:]

    def size(self, actions: Actions, rows: Integers, values: Floats, what: str) -> Floats:
        """Values that must be sizes in metres; what grows by its age begins with nothing."""
        if self.grammar.draws_its_own_growth:
            values = np.where(values == 0.0, _NOTHING_YET, values)
        good: NDArray[np.bool_] = (values > 0.0) & (values <= LARGEST)
        self.blame(actions.module[rows[~good]], f"{what} must be above 0 and at most {LARGEST:g} m: {{module}}")
        return values

    def check_polygons(self, actions: Actions) -> None:
        depth = np.cumsum((actions.action == BEGIN).astype(np.int64) - (actions.action == END))
        if not len(depth):
            return
        self.blame(actions.module[np.flatnonzero(depth < 0)[:1]], "this '}' closes nothing")
        if self.wrong is None and depth[-1] > 0:
            self.blame(actions.module[np.flatnonzero(actions.action == BEGIN)[-1:]], "this '{' is never closed")
