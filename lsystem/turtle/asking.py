# SPDX-License-Identifier: GPL-3.0-or-later
"""What modules that ask where they are are told: a turtle that walks along a string and draws nothing.

Texts compare what they are told with borders that lie exactly on its way: a quarter of a turn leads it to the same
numbers, down to the last digit. Files of cpfg have a turtle of their own, `cpfg_turtle`.
"""

import math
import struct
from dataclasses import dataclass, replace

import numpy as np

from ..base.module_string import ModuleString
from ..base.quaternions import (
    Quaternion,
    Vector,
    about_axis,
    bent_towards,
    from_axes,
    headed,
    levelled,
    multiply,
    rolled,
    rotate,
)
from ..base.saved_turtle import SavedTurtle
from ..language.grammar import Grammar
from . import commands
from .commands import Actions, read_actions
from .cpfg_modules import in_own_symbols
from .cpfg_turtle import CpfgTurtle

_MOVES = (commands.STEP, commands.STEP_UNSEEN, commands.MOVE, commands.ORGAN)
_Frame = tuple[Vector, Vector, Vector]
"""The axes H, L and the turtle's lower side, -U."""
_START: _Frame = ((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
_ABOUT_U = 2
_KEY = struct.Struct("13d")
_MOST_KNOWN = 30_000
_DIRECTED: dict[bytes, _Frame] = {}
"""Frames that have been turned to directions: by the action, the frame before and the direction, all bits of them."""
_PLANES = ((0, 2), (1, 2), (0, 1))
"""By the axis of a turn, R, H or U: which two axes of the frame turn."""


@dataclass(frozen=True)
class Answered:
    """By places in a string."""

    answers: dict[int, tuple[float, ...]]
    """What modules that ask are told."""
    turtles: dict[int, SavedTurtle]
    """Where cuts with a number stand."""


def answered(string: ModuleString, grammar: Grammar, turtle: CpfgTurtle | None = None) -> Answered:
    """What the modules of a string that ask are told: lengths in units, not in metres.

    In the axes of the text: a file of cpfg has y upwards, and its U is the lower side. For the environment it is the
    place, z up. turtle: for a file of cpfg, the one that has walked along the strings before. Raises `LSystemError`.
    """
    if grammar.program is not None:
        return _of_cpfg(string, grammar, turtle or CpfgTurtle(grammar.program.beside.view))
    translated = in_own_symbols(string, grammar)
    # in units, so that no digit is lost
    actions = read_actions(translated.string, replace(grammar, unit=1.0))
    places = translated.origin[np.flatnonzero(actions.uncut)]
    answers = _Walker(actions, grammar).answers()
    return Answered({int(places[actions.module[index]]): answer for index, answer in answers.items()}, {})


def _of_cpfg(string: ModuleString, grammar: Grammar, turtle: CpfgTurtle) -> Answered:
    turtle.walk(string)
    if not turtle.at_cuts:
        return Answered(turtle.told, {})
    counted = in_own_symbols(string, grammar).at_cuts
    turtles = {}
    for place, state in turtle.at_cuts.items():
        x, y, z = state.place
        (a, b, c), (d, e, f) = state.axes.heading, state.axes.up
        turtles[place] = SavedTurtle((x, -z, y), (a, -c, b), (-d, f, -e), counted[place], state)
    return Answered(turtle.told, turtles)


class _Walker:
    """Follows actions one after the other."""

    def __init__(self, actions: Actions, grammar: Grammar) -> None:
        self.actions = actions
        self.position: Vector = (0.0, 0.0, 0.0)
        self.frame = _START
        self.tropism = grammar.tropism
        self.outlines = 0

    def answers(self) -> dict[int, tuple[float, ...]]:
        """What each action that asks is told."""
        actions = self.actions
        found: dict[int, tuple[float, ...]] = {}
        stack: list[tuple[Vector, _Frame, tuple[float, float, float, float]]] = []
        columns = [column.tolist() for column in (actions.action, actions.length, actions.size, actions.axis)]
        for index, (action, length, size, axis) in enumerate(zip(*columns, strict=True)):
            if action == commands.TURN:
                angle = size * math.pi / 180.0
                self.turn(axis, math.sin(angle) if axis == _ABOUT_U else -math.sin(angle), math.cos(angle))
            elif action in _MOVES:
                self.move(index, action, length)
            elif action == commands.PUSH:
                stack.append((self.position, self.frame, self.tropism))
            elif action == commands.POP:
                self.position, self.frame, self.tropism = stack.pop()
            elif action == commands.AROUND:
                self.turn(_ABOUT_U, 0.0, -1.0)
            elif action == commands.ASK:
                found[index] = self.told(actions.symbol[actions.string.kinds[actions.module[index]]])
            elif action == commands.BEGIN:
                self.outlines += 1
            elif action == commands.END:
                self.outlines -= 1
            elif action == commands.SET:
                self.set(index, size)
            elif action in (commands.AIM, commands.FACE, commands.LEVEL):
                self.direct(action, (size, length, float(actions.thickness[index])))
        return found

    def told(self, symbol: str) -> tuple[float, ...]:
        """The place, also where the environment is asked, an axis or the rotation."""
        if symbol in ("?P", "?E"):
            return self.position
        if symbol == "?Q":
            return self.quaternion()
        x, y, z = self.frame["?H?L?U".index(symbol) // 2]
        return (0.0 - x, 0.0 - y, 0.0 - z) if symbol == "?U" else (x, y, z)

    def turn(self, axis: int, sine: float, cosine: float) -> None:
        """Turn two axes of the frame towards each other."""
        one, other = _PLANES[axis]
        a, b = self.frame[one], self.frame[other]
        axes = list(self.frame)
        axes[one] = _sum(cosine, a, sine, b)
        axes[other] = _sum(cosine, b, -sine, a)
        self.frame = axes[0], axes[1], axes[2]

    def move(self, index: int, action: int, length: float) -> None:
        """Go ahead; what is drawn bends, and blades of several pieces do so themselves."""
        pieces = int(self.actions.pieces[index])
        turn = about_axis(0, -float(self.actions.bend[index]) / pieces) if pieces > 1 else None
        bends = action != commands.MOVE and bool(self.tropism[3]) and not self.outlines
        for _ in range(pieces):
            x, y, z = self.position
            along_x, along_y, along_z = self.frame[0]
            ahead = length / pieces
            self.position = x + ahead * along_x, y + ahead * along_y, z + ahead * along_z
            if bends:
                self.become(bent_towards(self.quaternion(), self.tropism))
            if turn is not None:
                self.become(multiply(self.quaternion(), turn))

    def direct(self, action: int, vector: Vector) -> None:
        """Head somewhere, or level out. Most of a string is that of the step before: what is known is not worked out
        again, if it is the same to the last bit."""
        key = _KEY.pack(action, *self.frame[0], *self.frame[1], *self.frame[2], *vector)
        known = _DIRECTED.get(key)
        if known is not None:
            self.frame = known
            return
        if action == commands.AIM:
            self.become(headed(self.quaternion(), vector))
        elif action == commands.FACE:
            self.become(rolled(self.quaternion(), vector))
        else:
            self.become(levelled(self.quaternion()))
        if len(_DIRECTED) >= _MOST_KNOWN:
            _DIRECTED.clear()
        _DIRECTED[key] = self.frame

    def set(self, index: int, value: float) -> None:
        """Change the tropism; nothing else that can be set leads the turtle elsewhere."""
        actions = self.actions
        name = actions.symbol[actions.string.kinds[actions.module[index]]]
        if name == "@elasticity":
            self.tropism = (*self.tropism[:3], value)
        elif name == "@tropism":
            y, z, elasticity = (float(column[index]) for column in (actions.length, actions.thickness, actions.bend))
            self.tropism = value, y, z, elasticity

    def quaternion(self) -> Quaternion:
        """The frame as a rotation."""
        heading, left, lower = self.frame
        return from_axes([-part for part in left], heading, [-part for part in lower])

    def become(self, q: Quaternion) -> None:
        """Take on a frame."""
        lower, left = rotate(q, (0.0, 0.0, -1.0)), rotate(q, (-1.0, 0.0, 0.0))
        self.frame = rotate(q, (0.0, 1.0, 0.0)), left, lower


def _sum(a: float, one: Vector, b: float, other: Vector) -> Vector:
    return a * one[0] + b * other[0], a * one[1] + b * other[1], a * one[2] + b * other[2]
