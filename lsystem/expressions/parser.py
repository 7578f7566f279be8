# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads arithmetic and logical expressions, by precedence climbing, into trees of nodes.

Nothing of the user's text is ever handed to Python's own compiler. Every value is a float64; truth is 1 or 0.
A result that is not finite, a division by zero or a function outside its domain is an `LSystemError` at the
operator's or the function's place.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.cursor import NAME, NUMBER, Cursor
from ..base.errors import LSystemError
from .asking import ASKED, OWN_SOLIDS, Asked
from .functions import BINARY, COMPARISONS, FUNCTIONS, POWER_PRECEDENCE, UNARY, UNARY_PRECEDENCE
from .nodes import Call, Choice, Clock, Logical, Node, Number, Operation, Parameter, RandomNumber, Rows

MAX_EXPRESSION_DEPTH = 100

_TOKEN = re.compile(
    rf"(?P<number>{NUMBER.pattern})"
    rf"|(?P<name>{NAME.pattern})"
    r"|(?P<operator>--?>|→|&&|\|\||[<>=!]=|[-+*/^%<>!=(),:])"
)


@dataclass
class Draws:
    """Counts what the expressions of one production take: random numbers, the clock, what they ask of solids."""

    count: int = 0
    clocks: int = 0
    asked: int = 0
    """Uses of functions that ask for solids."""

    def site(self) -> RandomNumber:
        """One more number to be drawn."""
        self.count += 1
        return RandomNumber(self.count - 1)


@dataclass(frozen=True)
class Scope:
    """The names an expression may use: constants by value, parameters by their column."""

    constants: Mapping[str, float]
    parameters: tuple[str, ...] = ()
    draws: Draws | None = None
    """Where random numbers are known."""
    clock: bool = False
    """Whether `age` and `time` are known."""


def parse_expression(cursor: Cursor, scope: Scope) -> Node:
    """Read one expression; the cursor stops at the first token that is not part of it."""
    with np.errstate(all="ignore"):  # every result is looked at where it is made
        return _Parser(cursor, scope).expression(0)


def is_reserved(name: str) -> bool:
    """Whether a name is a function's, so that constants and parameters may not have it."""
    return name in FUNCTIONS or name == "if"


@dataclass
class _Parser:
    cursor: Cursor
    scope: Scope
    nesting: int = 0

    def peek(self) -> tuple[str, str]:
        """Kind and text of the next token; ("", "") at the end of the statement."""
        character = self.cursor.peek()
        if not character:
            return "", ""
        match = _TOKEN.match(self.cursor.text.content, self.cursor.offset, self.cursor.end)
        if match is None:
            return "unknown", character
        return match.lastgroup or "", match.group()

    def skip(self, token: str) -> None:
        self.cursor.skip_space()
        self.cursor.offset += len(token)

    def expression(self, lowest: int) -> Node:
        self.nesting += 1
        if self.nesting > MAX_EXPRESSION_DEPTH:
            raise self.too_deep(self.cursor.offset)
        left = self.operand()
        compared = False
        while True:
            kind, token = self.peek()
            if kind != "operator" or token not in BINARY:
                break
            precedence, function = BINARY[token]
            if precedence < lowest:
                break
            offset = self.cursor.offset
            if precedence in COMPARISONS and compared:
                raise self.cursor.error("comparisons cannot be chained; join them with &&", offset)
            compared = precedence in COMPARISONS
            self.skip(token)
            # `^` groups to the right, the others to the left
            right = self.expression(precedence if precedence == POWER_PRECEDENCE else precedence + 1)
            arguments = self.shallow((left, right), offset)
            if function is None:
                left = folded(Logical(arguments, token == "&&"))
            else:
                left = folded(Call(arguments, function, self.cursor.text, offset))
        self.nesting -= 1
        return left

    def operand(self) -> Node:
        kind, token = self.peek()
        offset = self.cursor.offset
        if kind == "number":
            self.skip(token)
            value = float(token)
            if not math.isfinite(value):
                raise self.cursor.error(f"the number {token} is too large", offset)
            return Number(value)
        if kind == "name":
            self.skip(token)
            return self.named(token, offset)
        if token == "(":
            self.skip(token)
            inside = self.expression(0)
            self.expect(")")
            return inside
        if token in ("-", "+", "!"):
            self.skip(token)
            inside = self.expression(UNARY_PRECEDENCE)
            if token == "+":
                return inside
            return folded(Call(self.shallow((inside,), offset), UNARY[token], self.cursor.text, offset))
        raise self.cursor.error(f"expected a number, a name or '(', found {_quoted(token)}", offset)

    def expect(self, token: str) -> None:
        found = self.peek()[1]
        if found != token:
            hint = "; equality is written ==" if found == "=" else ""
            raise self.cursor.error(f"expected '{token}', found {_quoted(found)}{hint}")
        self.skip(token)

    def named(self, name: str, offset: int) -> Node:
        scope = self.scope
        if self.peek()[1] == "(":
            return self.function_call(name, offset)
        if name in scope.parameters:
            return Parameter(scope.parameters.index(name))
        if name in scope.constants:
            return Number(scope.constants[name])
        if is_reserved(name):
            raise self.cursor.error(f"the function {name} needs its arguments in parentheses", offset)
        if name == "pi":
            return Number(math.pi)
        if name in ("age", "time") and scope.clock and scope.draws is not None:
            scope.draws.clocks += 1
            return Clock(name == "age")
        known = ", ".join([*scope.parameters, *scope.constants]) or "none"
        raise self.cursor.error(f"unknown name '{name}' (known here: {known})", offset)

    def function_call(self, name: str, offset: int) -> Node:
        asks = name in ASKED or name == OWN_SOLIDS
        if not asks and not is_reserved(name):
            raise self.cursor.error(f"unknown function '{name}'", offset)
        self.expect("(")
        arguments: list[Node] = []
        if self.peek()[1] != ")":
            arguments.append(self.expression(0))
            while self.peek()[1] == ",":
                self.skip(",")
                arguments.append(self.expression(0))
        self.expect(")")
        inside = self.shallow(arguments, offset)
        draws = self.scope.draws
        if asks:
            if draws is None:
                raise self.cursor.error(f"{name} is only known in productions and in the axiom", offset)
            self.count(name, arguments, (0 if name == OWN_SOLIDS else 3,), offset)
            draws.asked += 1
            return Asked(inside, name, self.cursor.text, offset)
        if name == "if":
            self.count(name, arguments, (3,), offset)
            return folded(Choice(inside))
        function = FUNCTIONS[name]
        if function.draws and draws is None:
            raise self.cursor.error(f"{name} is only known in productions and in the axiom", offset)
        self.count(name, arguments, function.counts, offset)
        sites = [draws.site() for _ in range(function.draws)] if draws else []
        return folded(Call((*sites, *inside), function, self.cursor.text, offset))

    def count(self, name: str, arguments: list[Node], allowed: Sequence[int], offset: int) -> None:
        if len(arguments) not in allowed:
            first, last = allowed[0], allowed[-1]
            word = "or" if len(allowed) == 2 else "to"
            wanted = str(first) if first == last else f"{first} {word} {last}"
            raise self.cursor.error(f"{name} takes {wanted} arguments, not {len(arguments)}", offset)

    def shallow(self, arguments: Sequence[Node], offset: int) -> tuple[Node, ...]:
        """Arguments that an operation may still have without being nested too deep."""
        if any(argument.depth >= MAX_EXPRESSION_DEPTH for argument in arguments):
            raise self.too_deep(offset)
        return tuple(arguments)

    def too_deep(self, offset: int) -> LSystemError:
        return self.cursor.error(f"expression nested more than {MAX_EXPRESSION_DEPTH} deep", offset)


def folded(operation: Operation) -> Node:
    """The operation, or its value if that is known already."""
    if any(argument.value is None for argument in operation.arguments):
        return operation
    value = operation(Rows(1))
    assert isinstance(value, float)
    return Number(value)


def _quoted(token: str) -> str:
    return f"'{token}'" if token else "the end of the statement"
