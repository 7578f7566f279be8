# SPDX-License-Identifier: GPL-3.0-or-later
"""A second derivation, as plain as can be: one module after the other, contexts found by walking along the string.

It shares no code with the package: productions are Python functions, strings lists of (symbol, parameters).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Module = tuple[str, tuple[float, ...]]


@dataclass
class Rule:
    """``left < symbol > right : holds(parameters) -> makes(parameters)``; a list in ``right`` is a branch."""

    symbol: str
    makes: Callable[..., list[Module]]
    left: Sequence[str] = ()
    right: Sequence = ()
    holds: Callable[..., bool] = field(default=lambda *parameters: True)


def left_of(string: list[Module], place: int, seen: Callable[[str], bool]) -> int:
    """The module before a place on its path, -1 for none."""
    closed = 0
    for at in range(place - 1, -1, -1):
        symbol = string[at][0]
        if symbol == "]":
            closed += 1
        elif symbol == "[":
            closed = max(closed - 1, 0)
        elif not closed and seen(symbol):
            return at
    return -1


def end_of(string: list[Module], place: int) -> int:
    """Where the branch that opens at a place ends."""
    depth = 0
    for at in range(place, len(string)):
        depth += {"[": 1, "]": -1}.get(string[at][0], 0)
        if depth == 0:
            return at
    return len(string)


def match_right(string: list[Module], start: int, wanted: Sequence, seen: Callable[[str], bool]) -> list[int] | None:
    """The modules of a right context that begins at a place; None if it does not fit."""
    found: list[int] = []
    at = start
    for part in wanted:
        while True:
            if at >= len(string) or string[at][0] == "]":
                return None
            symbol = string[at][0]
            if symbol == "[":
                inside = match_right(string, at + 1, part, seen) if isinstance(part, list) else None
                at = end_of(string, at) + 1
                if inside is not None:
                    found += inside
                    break
            elif not seen(symbol):
                at += 1
            elif isinstance(part, list) or symbol != part:
                return None
            else:
                found.append(at)
                at += 1
                break
    return found


def step(string: list[Module], rules: list[Rule], seen: Callable[[str], bool] = lambda symbol: True) -> list[Module]:
    """One derivation step; ``seen`` tells which symbols count in contexts."""
    result: list[Module] = []
    for place, module in enumerate(string):
        for rule in rules:
            if rule.symbol != module[0]:
                continue
            left: list[int] = []
            at = place
            for symbol in reversed(rule.left):
                at = left_of(string, at, seen)
                if at < 0 or string[at][0] != symbol:
                    break
                left.insert(0, at)
            if len(left) < len(rule.left):
                continue
            right = match_right(string, place + 1, rule.right, seen)
            if right is None:
                continue
            parameters = [*module[1], *(value for at in (*left, *right) for value in string[at][1])]
            if rule.holds(*parameters):
                result += rule.makes(*parameters)
                break
        else:
            result.append(module)
    return result


def letters(text: str) -> list[Module]:
    """A string of modules without parameters."""
    return [(symbol, ()) for symbol in text]
