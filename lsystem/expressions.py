# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic and logical expressions: read by precedence climbing, compiled to closures.

Nothing of the user's text is ever handed to Python's own compiler. Every value is a float64; truth is 1 or 0.
A result that is not finite, a division by zero or a function outside its domain is an `LSystemError` at the
operator's or the function's place.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from .cursor import Cursor
from .errors import LSystemError

MAX_EXPRESSION_DEPTH = 100

Evaluate = Callable[[tuple[float, ...], np.random.Generator], float]

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<operator>->|→|&&|\|\||[<>=!]=|[-+*/^%<>!=(),])"
)


@dataclass(frozen=True)
class Scope:
    """The names an expression may use: constants by value, parameters by their place in a module's parameters."""

    constants: Mapping[str, float]
    parameters: tuple[str, ...] = ()
    allow_random: bool = False


@dataclass(frozen=True)
class Expression:
    """A compiled expression: ``evaluate(parameters, generator) -> float``.

    ``value`` is its value if that is known already, otherwise None; ``is_random`` tells whether it draws numbers.
    """

    evaluate: Evaluate
    value: float | None = None
    is_random: bool = False
    depth: int = 1


def constant(value: float) -> Expression:
    """The expression that is always ``value``."""
    return Expression(lambda parameters, generator: value, value)


def _divide(a: float, b: float) -> float:
    if b == 0.0:
        raise ValueError("division by zero")
    return a / b


def _modulo(a: float, b: float) -> float:
    if b == 0.0:
        raise ValueError("remainder of a division by zero")
    return a % b


def _power(a: float, b: float) -> float:
    if a < 0.0 and b != math.floor(b):
        raise ValueError("a negative number to a fractional power")
    if a == 0.0 and b < 0.0:
        raise ValueError("zero to a negative power")
    return a**b


def _compare(relation: Callable[[float, float], bool]) -> Callable[[float, float], float]:
    return lambda a, b: 1.0 if relation(a, b) else 0.0


# operator -> (precedence, function of two numbers); the logical ones do not evaluate their right side needlessly
# and are built in _logical.
_BINARY: dict[str, tuple[int, Callable[[float, float], float] | None]] = {
    "||": (1, None),
    "&&": (2, None),
    "==": (3, _compare(operator.eq)),
    "!=": (3, _compare(operator.ne)),
    "<": (4, _compare(operator.lt)),
    "<=": (4, _compare(operator.le)),
    ">": (4, _compare(operator.gt)),
    ">=": (4, _compare(operator.ge)),
    "+": (5, operator.add),
    "-": (5, operator.sub),
    "*": (6, operator.mul),
    "/": (6, _divide),
    "%": (6, _modulo),
    "^": (8, _power),
}
_COMPARISONS = (3, 4)
_UNARY_PRECEDENCE = 7
_POWER_PRECEDENCE = 8

# name -> (fewest arguments, most arguments, function); angles are in degrees, as everywhere in the text.
FUNCTIONS: dict[str, tuple[int, int, Callable[..., float]]] = {
    "sin": (1, 1, lambda a: math.sin(math.radians(a))),
    "cos": (1, 1, lambda a: math.cos(math.radians(a))),
    "tan": (1, 1, lambda a: math.tan(math.radians(a))),
    "asin": (1, 1, lambda a: math.degrees(math.asin(a))),
    "acos": (1, 1, lambda a: math.degrees(math.acos(a))),
    "atan": (1, 1, lambda a: math.degrees(math.atan(a))),
    "atan2": (2, 2, lambda a, b: math.degrees(math.atan2(a, b))),
    "sqrt": (1, 1, math.sqrt),
    "exp": (1, 1, math.exp),
    "log": (1, 1, math.log),
    "pow": (2, 2, _power),
    "abs": (1, 1, abs),
    "min": (1, 16, lambda *a: min(a)),
    "max": (1, 16, lambda *a: max(a)),
    "floor": (1, 1, lambda a: float(math.floor(a))),
    "ceil": (1, 1, lambda a: float(math.ceil(a))),
    "round": (1, 1, lambda a: float(math.floor(a + 0.5))),
    "sign": (1, 1, lambda a: float((a > 0.0) - (a < 0.0))),
}


def parse_expression(cursor: Cursor, scope: Scope) -> Expression:
    """Read one expression and compile it; the cursor stops at the first token that is not part of it."""
    return _Parser(cursor, scope).expression(0)


def is_reserved(name: str) -> bool:
    """Whether a name is a function's, so that constants and parameters may not have it."""
    return name in FUNCTIONS or name == "random"


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

    def expression(self, lowest: int) -> Expression:
        self.nesting += 1
        if self.nesting > MAX_EXPRESSION_DEPTH:
            raise self.cursor.error(f"expression nested more than {MAX_EXPRESSION_DEPTH} deep")
        left = self.operand()
        compared = False
        while True:
            kind, token = self.peek()
            if kind != "operator" or token not in _BINARY:
                break
            precedence, function = _BINARY[token]
            if precedence < lowest:
                break
            offset = self.cursor.offset
            if precedence in _COMPARISONS and compared:
                raise self.cursor.error("comparisons cannot be chained; join them with &&", offset)
            compared = precedence in _COMPARISONS
            self.skip(token)
            # `^` groups to the right, the others to the left
            right = self.expression(precedence if precedence == _POWER_PRECEDENCE else precedence + 1)
            if function is None:
                left = self.logical(token, left, right, offset)
            else:
                left = self.call(function, (left, right), offset)
        self.nesting -= 1
        return left

    def operand(self) -> Expression:
        kind, token = self.peek()
        offset = self.cursor.offset
        if kind == "number":
            self.skip(token)
            value = float(token)
            if not math.isfinite(value):
                raise self.cursor.error(f"the number {token} is too large", offset)
            return constant(value)
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
            inside = self.expression(_UNARY_PRECEDENCE)
            if token == "+":
                return inside
            return self.call(operator.neg if token == "-" else lambda a: 1.0 if a == 0.0 else 0.0, (inside,), offset)
        found = f"'{token}'" if token else "the end of the statement"
        raise self.cursor.error(f"expected a number, a name or '(', found {found}", offset)

    def expect(self, token: str) -> None:
        kind, found = self.peek()
        if found != token:
            hint = "; equality is written ==" if found == "=" else ""
            found = f"'{found}'" if kind else "the end of the statement"
            raise self.cursor.error(f"expected '{token}', found {found}{hint}")
        self.skip(token)

    def named(self, name: str, offset: int) -> Expression:
        if self.peek()[1] == "(":
            return self.function_call(name, offset)
        if name in self.scope.parameters:
            get = operator.itemgetter(self.scope.parameters.index(name))
            return Expression(lambda parameters, generator: get(parameters))
        if name in self.scope.constants:
            return constant(self.scope.constants[name])
        if is_reserved(name):
            raise self.cursor.error(f"the function {name} needs its arguments in parentheses", offset)
        known = ", ".join([*self.scope.parameters, *self.scope.constants]) or "none"
        raise self.cursor.error(f"unknown name '{name}' (known here: {known})", offset)

    def function_call(self, name: str, offset: int) -> Expression:
        if not is_reserved(name):
            raise self.cursor.error(f"unknown function '{name}'", offset)
        self.expect("(")
        arguments = []
        if self.peek()[1] != ")":
            arguments.append(self.expression(0))
            while self.peek()[1] == ",":
                self.skip(",")
                arguments.append(self.expression(0))
        self.expect(")")
        if name == "random":
            return self.random(tuple(arguments), offset)
        fewest, most, function = FUNCTIONS[name]
        if not fewest <= len(arguments) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise self.cursor.error(f"{name} takes {wanted} arguments, not {len(arguments)}", offset)
        return self.call(function, tuple(arguments), offset)

    def random(self, arguments: tuple[Expression, ...], offset: int) -> Expression:
        if not self.scope.allow_random:
            raise self.cursor.error("random is only known in productions and in the axiom", offset)
        if len(arguments) not in (0, 2):
            raise self.cursor.error(f"random takes 0 or 2 arguments, not {len(arguments)}", offset)
        if not arguments:
            return Expression(lambda parameters, generator: generator.random(), is_random=True)
        low, high = (argument.evaluate for argument in arguments)
        guard = self.guard(offset)

        def draw(parameters: tuple[float, ...], generator: np.random.Generator) -> float:
            a, b = low(parameters, generator), high(parameters, generator)
            return guard(a + (b - a) * generator.random())

        return Expression(draw, is_random=True, depth=self.depth(arguments, offset))

    def call(self, function: Callable[..., float], arguments: tuple[Expression, ...], offset: int) -> Expression:
        """A function of evaluated arguments, folded now if these are known."""
        guard = self.guard(offset)
        error = self.cursor.text.error
        evaluators = tuple(argument.evaluate for argument in arguments)

        def evaluate(parameters: tuple[float, ...], generator: np.random.Generator) -> float:
            try:
                return guard(function(*[value(parameters, generator) for value in evaluators]))
            except LSystemError:
                raise
            except OverflowError:
                raise error("the result is too large", offset) from None
            except ValueError as problem:
                message = str(problem)
                raise error("argument out of range" if message == "math domain error" else message, offset) from None

        return self.folded(evaluate, arguments, offset)

    def logical(self, token: str, left: Expression, right: Expression, offset: int) -> Expression:
        first, second = left.evaluate, right.evaluate
        if token == "&&":

            def evaluate(parameters: tuple[float, ...], generator: np.random.Generator) -> float:
                return 1.0 if first(parameters, generator) and second(parameters, generator) else 0.0
        else:

            def evaluate(parameters: tuple[float, ...], generator: np.random.Generator) -> float:
                return 1.0 if first(parameters, generator) or second(parameters, generator) else 0.0

        return self.folded(evaluate, (left, right), offset)

    def folded(self, evaluate: Evaluate, arguments: tuple[Expression, ...], offset: int) -> Expression:
        depth = self.depth(arguments, offset)
        if all(argument.value is not None for argument in arguments):
            return constant(evaluate((), _NO_GENERATOR))
        return Expression(evaluate, None, any(argument.is_random for argument in arguments), depth)

    def guard(self, offset: int) -> Callable[[float], float]:
        error = self.cursor.text.error

        def finite(value: float) -> float:
            if math.isfinite(value):
                return value
            raise error("the result is not a finite number", offset)

        return finite

    def depth(self, arguments: tuple[Expression, ...], offset: int) -> int:
        depth = 1 + max((argument.depth for argument in arguments), default=0)
        if depth > MAX_EXPRESSION_DEPTH:
            raise self.cursor.error(f"expression nested more than {MAX_EXPRESSION_DEPTH} deep", offset)
        return depth


# Folded expressions are those that draw no numbers; they are evaluated with this generator, which they never use.
_NO_GENERATOR = np.random.default_rng(0)
