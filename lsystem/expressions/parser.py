# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads arithmetic and logical expressions, by precedence climbing, into trees of nodes.

Nothing of the user's text is ever handed to Python's own compiler. Every value is a float64; truth is 1 or 0.
A result that is not finite, a division by zero or a function outside its domain is an `LSystemError` at the
operator's or the function's place.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..base.cursor import Cursor
from .functions import (
    BINARY,
    COMPARISONS,
    FUNCTIONS,
    POWER_PRECEDENCE,
    RANDOM,
    UNARY,
    UNARY_PRECEDENCE,
)
from .nodes import Call, Choice, Clock, Constant, Draw, Logical, Node, Parameter, Place, Rows

MAX_EXPRESSION_DEPTH = 100

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<operator>--?>|→|&&|\|\||[<>=!]=|[-+*/^%<>!=(),:])"
)


class Draws:
    """Counts the random numbers that the expressions of one production may draw, and the uses of its clock."""

    def __init__(self) -> None:
        self.count = 0
        self.clocks = 0

    def site(self) -> Draw:
        """One more number to be drawn."""
        self.count += 1
        return Draw(self.count - 1)


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
    return name in FUNCTIONS or name in RANDOM or name == "if"


class _Parser:
    def __init__(self, cursor: Cursor, scope: Scope) -> None:
        self.cursor = cursor
        self.scope = scope
        self.nesting = 0

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
            raise self.cursor.error(f"expression nested more than {MAX_EXPRESSION_DEPTH} deep")
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
            depth = self.depth((left, right), offset)
            if function is None:
                left = self.folded(Logical(token == "&&", left, right, depth), (left, right))
            else:
                left = self.folded(Call(function, (left, right), self.place(offset), depth), (left, right))
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
            return Constant(value)
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
            depth = self.depth((inside,), offset)
            return self.folded(Call(UNARY[token], (inside,), self.place(offset), depth), (inside,))
        found = f"'{token}'" if token else "the end of the statement"
        raise self.cursor.error(f"expected a number, a name or '(', found {found}", offset)

    def expect(self, token: str) -> None:
        kind, found = self.peek()
        if found != token:
            hint = "; equality is written ==" if found == "=" else ""
            found = f"'{found}'" if kind else "the end of the statement"
            raise self.cursor.error(f"expected '{token}', found {found}{hint}")
        self.skip(token)

    def named(self, name: str, offset: int) -> Node:
        scope = self.scope
        if self.peek()[1] == "(":
            return self.function_call(name, offset)
        if name in scope.parameters:
            return Parameter(scope.parameters.index(name))
        if name in scope.constants:
            return Constant(scope.constants[name])
        if is_reserved(name):
            raise self.cursor.error(f"the function {name} needs its arguments in parentheses", offset)
        if name == "pi":
            return Constant(math.pi)
        if name in ("age", "time") and scope.clock and scope.draws is not None:
            scope.draws.clocks += 1
            return Clock(name == "age")
        known = ", ".join([*scope.parameters, *scope.constants]) or "none"
        raise self.cursor.error(f"unknown name '{name}' (known here: {known})", offset)

    def function_call(self, name: str, offset: int) -> Node:
        if not is_reserved(name):
            raise self.cursor.error(f"unknown function '{name}'", offset)
        self.expect("(")
        arguments: list[Node] = []
        if self.peek()[1] != ")":
            arguments.append(self.expression(0))
            while self.peek()[1] == ",":
                self.skip(",")
                arguments.append(self.expression(0))
        self.expect(")")
        depth = self.depth(tuple(arguments), offset)
        if name in RANDOM:
            return self.random(name, arguments, offset, depth)
        if name == "if":
            self.count(name, arguments, (3,), offset)
            return self.folded(Choice(arguments[0], arguments[1], arguments[2], depth), tuple(arguments))
        function = FUNCTIONS[name]
        self.count(name, arguments, range(function.fewest, function.most + 1), offset)
        return self.folded(Call(function, tuple(arguments), self.place(offset), depth), tuple(arguments))

    def random(self, name: str, arguments: list[Node], offset: int, depth: int) -> Node:
        if self.scope.draws is None:
            raise self.cursor.error(f"{name} is only known in productions and in the axiom", offset)
        draws, counts, function = RANDOM[name]
        self.count(name, arguments, counts, offset)
        sites = [self.scope.draws.site() for _ in range(draws)]
        if name == "random" and not arguments:
            return sites[0]
        return Call(function, (*sites, *arguments), self.place(offset), depth)

    def count(self, name: str, arguments: list[Node], allowed: range | tuple[int, ...], offset: int) -> None:
        if len(arguments) not in allowed:
            first, last = allowed[0], allowed[-1]
            word = "or" if len(allowed) == 2 else "to"
            wanted = str(first) if first == last else f"{first} {word} {last}"
            raise self.cursor.error(f"{name} takes {wanted} arguments, not {len(arguments)}", offset)

    def place(self, offset: int) -> Place:
        return Place(*self.cursor.text.position(offset), self.cursor.text.source)

    def folded(self, node: Node, arguments: tuple[Node, ...]) -> Node:
        """The node, or its value if that is known already."""
        if all(argument.value is not None for argument in arguments):
            value = node.values(Rows(1))
            assert isinstance(value, float)
            return Constant(value)
        return node

    def depth(self, arguments: tuple[Node, ...], offset: int) -> int:
        depth = 1 + max((argument.depth for argument in arguments), default=0)
        if depth > MAX_EXPRESSION_DEPTH:
            raise self.cursor.error(f"expression nested more than {MAX_EXPRESSION_DEPTH} deep", offset)
        return depth
