# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditions of ``#if``, as the C preprocessor reads them.

Whole numbers of 64 bits, hexadecimal ones and characters too, with all operators of C down to ``? :``. Numbers with a
point may stand in them as well.
"""

import math
import operator
import re
from collections.abc import Callable

DEEPEST = 100
"""Operators within each other, or parentheses."""
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:0[xX][0-9a-fA-F]+|(?:[0-9]*\.[0-9]+|[0-9]+\.)(?:[eE][-+]?[0-9]+)?|[0-9]+)[uUlL]*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator>\|\||&&|[=!<>]=|<<|>>|[-+*/%!~<>&|^?:()]))"
)
_CHARACTER = re.compile(r"'(?:([^'\\\n])|\\([0-7]{1,3})|\\x([0-9a-fA-F]+)|\\([abfnrtv'\"?\\]))'")
_ESCAPED = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))
_Number = int | float


class ConditionError(ValueError):
    """What is wrong with a condition."""


def _quotient(a: _Number, b: _Number) -> _Number:
    if not b:
        raise ConditionError("a division by zero")
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: _Number, b: _Number) -> _Number:
    if not int(b):
        raise ConditionError("a division by zero")
    return int(math.copysign(abs(int(a)) % abs(int(b)), a))


def _whole(compute: Callable[[int, int], int]) -> Callable[[_Number, _Number], _Number]:
    return lambda a, b: compute(int(a), int(b))


BINARY: dict[str, tuple[int, Callable[[_Number, _Number], _Number]]] = {
    "||": (1, lambda a, b: int(bool(a or b))),
    "&&": (2, lambda a, b: int(bool(a and b))),
    "|": (3, _whole(operator.or_)),
    "^": (4, _whole(operator.xor)),
    "&": (5, _whole(operator.and_)),
    "==": (6, lambda a, b: int(a == b)),
    "!=": (6, lambda a, b: int(a != b)),
    "<": (7, lambda a, b: int(a < b)),
    "<=": (7, lambda a, b: int(a <= b)),
    ">": (7, lambda a, b: int(a > b)),
    ">=": (7, lambda a, b: int(a >= b)),
    "<<": (8, _whole(lambda a, b: a << (b & 63))),
    ">>": (8, _whole(lambda a, b: a >> (b & 63))),
    "+": (9, operator.add),
    "-": (9, operator.sub),
    "*": (10, operator.mul),
    "/": (10, _quotient),
    "%": (10, _remainder),
}
UNARY: dict[str, Callable[[_Number], _Number]] = {
    "-": operator.neg,
    "+": operator.pos,
    "!": lambda a: int(not a),
    "~": lambda a: ~int(a),
}


def with_codes(text: str) -> str:
    """A condition with the codes of its characters, such as ``'a'``, in their places, as bytes with a sign."""

    def code(match: re.Match[str]) -> str:
        plain, octal, hexadecimal, escaped = match.groups()
        if octal or hexadecimal:
            number = int(octal, 8) if octal else int(hexadecimal, 16)
        else:
            number = ord(plain or _ESCAPED.get(escaped, escaped))
        return str((number + 128) % 256 - 128)

    return _CHARACTER.sub(code, text)


def value_of(text: str) -> _Number:
    """What a condition without macros comes to; names are 0. Raises `ConditionError`."""
    reader = _Reader(text)
    value = reader.choice()
    if reader.token:
        raise ConditionError(f"unexpected '{reader.token}'")
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text.rstrip()
        self.place = 0
        self.depth = 0
        self.kind: str | None = None
        self.token = ""
        self.advance()

    def advance(self) -> None:
        """Go to the next token; it is empty at the end."""
        self.kind, self.token = None, ""
        if self.place >= len(self.text):
            return
        match = _TOKEN.match(self.text, self.place)
        if match is None:
            raise ConditionError(f"unexpected '{self.text[self.place:].strip()[:1]}'")
        self.place = match.end()
        self.kind = match.lastgroup
        self.token = match.group(self.kind or 0)

    def expect(self, token: str) -> None:
        if self.token != token:
            raise ConditionError(f"expected '{token}', found {self.found()}")
        self.advance()

    def found(self) -> str:
        return f"'{self.token}'" if self.token else "the end"

    def choice(self) -> _Number:
        """A condition with ``? :``, both sides of which are worked out, so that what is wrong is told."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ConditionError(f"it is nested more than {DEEPEST} deep")
        value = self.binary(1)
        if self.token == "?":
            self.advance()
            then = self.choice()
            self.expect(":")
            otherwise = self.choice()
            value = then if value else otherwise
        self.depth -= 1
        return value

    def binary(self, lowest: int) -> _Number:
        value = self.operand()
        while self.token in BINARY and BINARY[self.token][0] >= lowest:
            precedence, compute = BINARY[self.token]
            self.advance()
            value = _bounded(compute(value, self.binary(precedence + 1)))
        return value

    def operand(self) -> _Number:
        kind, token = self.kind, self.token
        if token in UNARY:
            self.depth += 1
            if self.depth > DEEPEST:
                raise ConditionError(f"it is nested more than {DEEPEST} deep")
            self.advance()
            value = _bounded(UNARY[token](self.operand()))
            self.depth -= 1
            return value
        if token == "(":
            self.advance()
            value = self.choice()
            self.expect(")")
            return value
        if kind == "number":
            self.advance()
            return _bounded(_number(token.rstrip("uUlL")))
        if kind == "name":
            self.advance()
            return 0
        raise ConditionError(f"expected a number or a name, found {self.found()}")


def _number(token: str) -> _Number:
    if token[:2] in ("0x", "0X"):
        return int(token, 16)
    if "." in token:
        return float(token)
    try:
        return int(token, 8 if token[0] == "0" else 10)
    except ValueError:
        raise ConditionError(f"'{token}' is no number") from None


def _bounded(value: _Number) -> _Number:
    """A whole number as 64 bits keep it."""
    return value if isinstance(value, float) else (value + (1 << 63)) % (1 << 64) - (1 << 63)
