# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions and statements as functions of registers, for modules that are replaced one by one.

All variables of a text, its parameters too, have registers in one list, which every function is given. They are made of
parsed trees; nothing of a text is ever handed to Python's own compiler.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..base.errors import ExpressionError, LSystemError
from .arithmetic import INTO, MAKERS, Action, Expression, Registers
from .elements import element, place
from .functions import quotient
from .nodes import Call, Choice, Logical, Node, Number, Parameter
from .stacked import Stacked, with_stack
from .state import (
    Array,
    Assignment,
    Block,
    Decision,
    Effect,
    Element,
    Evaluation,
    Loop,
    Statement,
    Store,
    Variable,
    size_of,
)

_LONG = 16
"""Nodes of a loop's body that count for a further round."""


@dataclass
class Rounds:
    """How many rounds all loops of a text, of all its L-systems, may still go."""

    left: int


@dataclass
class Surroundings:
    """What expressions and statements use besides registers."""

    arrays: Sequence[Array] = ()
    effects: Mapping[str, Callable[..., float]] = field(default_factory=dict)
    """What functions with effects do."""
    rounds: "Rounds" = field(default_factory=lambda: Rounds(0))
    """How many rounds all loops together may still go."""

    def __post_init__(self) -> None:
        self.values = [list(array.values) for array in self.arrays]

    def too_long(self, loop: Loop) -> ExpressionError:
        """The error for a loop that goes on for longer than all together may."""
        message = "this loop goes on too long, or all of them together do; its condition may never become false"
        return ExpressionError(message, *loop.text.position(loop.offset), loop.text.source)


class Compiler:
    """Makes functions of the nodes of one production, or of blocks that stand outside of productions."""

    def __init__(self, surroundings: Surroundings, base: int = 0) -> None:
        self.surroundings = surroundings
        self.base = base
        """Register of the production's first parameter."""

    def expression(self, node: Node) -> Expression:
        """The function that evaluates a node. It raises `ExpressionError`."""
        if isinstance(node, Number):
            value = node.value
            return lambda registers: value
        register = self.register(node)
        if register is not None:
            return operator.itemgetter(register)
        if isinstance(node, Call):
            return self.call(node)
        if isinstance(node, Logical):
            return self.logical(node)
        if isinstance(node, Choice):
            condition, then, otherwise = map(self.expression, node.arguments)
            return lambda registers: then(registers) if condition(registers) else otherwise(registers)
        if isinstance(node, Element):
            array, values = self.array(node.array)
            indices = list(map(self.expression, node.arguments))
            return element(array, values, indices, [index.value for index in node.arguments])
        if isinstance(node, Stacked):
            return with_stack(node, self.expression)
        assert isinstance(node, Effect)  # there are no others
        return self.effect(node)

    def call(self, node: Call) -> Expression:
        """A function of other expressions; what it refuses becomes an `ExpressionError`."""
        function = node.function
        assert function.scalar is not None  # expressions of texts with a program have no others
        compute = function.scalar
        arguments = [self.expression(argument) for argument in node.arguments]
        plain = self.of_arguments(compute, arguments, node.arguments)
        if not function.refused:
            return plain
        ((_, message),) = function.refused

        def guarded(registers: Registers) -> float:
            try:
                return plain(registers)
            except ValueError:
                raise ExpressionError(message, *node.text.position(node.offset), node.text.source) from None

        return guarded

    def of_arguments(
        self, compute: Callable[..., float], arguments: Sequence[Expression], nodes: Sequence[Node]
    ) -> Expression:
        """A function of what arguments come to."""
        if len(arguments) == 1:
            only = arguments[0]
            if compute is operator.not_:
                return lambda registers: 0.0 if only(registers) else 1.0
            return lambda registers: compute(only(registers))
        one, other = arguments  # there are none of more
        constant = nodes[1].value
        if compute is quotient and constant:
            compute = operator.truediv
        if compute not in MAKERS:
            if constant is not None:
                return lambda registers: compute(one(registers), constant)
            return lambda registers: compute(one(registers), other(registers))
        of_registers, of_register, of_constant, of_both = MAKERS[compute]
        first, second = map(self.register, nodes)
        if first is not None and second is not None:
            return of_registers(first, second)
        if constant is not None:
            return of_constant(one, constant) if first is None else of_register(first, constant)
        return of_both(one, other)

    def register(self, node: Node) -> int | None:
        """The register that a node is read from, if it is one."""
        if isinstance(node, Parameter):
            return self.base + node.column
        return node.register if isinstance(node, Variable) else None

    def logical(self, node: Logical) -> Expression:
        """``&&`` or ``||``."""
        one, other = map(self.expression, node.arguments)
        if node.is_and:
            return lambda registers: 1.0 if one(registers) and other(registers) else 0.0
        return lambda registers: 1.0 if one(registers) or other(registers) else 0.0

    def effect(self, node: Effect) -> Expression:
        """A function that does something."""
        does = self.surroundings.effects[node.name]
        arguments = [self.expression(argument) for argument in node.arguments]

        def refused(error: Exception) -> Exception:
            if isinstance(error, LSystemError):
                return error
            return ExpressionError(f"{node.name}: {error}", *node.text.position(node.offset), node.text.source)

        if len(arguments) == 1:
            (only,) = arguments

            def done_with_one(registers: Registers) -> float:
                try:
                    return does(only(registers))
                except (ValueError, ArithmeticError) as error:
                    raise refused(error) from None

            return done_with_one

        def done(registers: Registers) -> float:
            try:
                return does(*[argument(registers) for argument in arguments])
            except (ValueError, ArithmeticError) as error:
                raise refused(error) from None

        return done

    def array(self, number: int) -> tuple[Array, list[float]]:
        """An array and its values."""
        return self.surroundings.arrays[number], self.surroundings.values[number]

    def block(self, block: Block) -> Action | None:
        """The function that runs statements one after the other; None if there are none."""
        actions = [self.statement(statement) for statement in block]
        if len(actions) <= 1:
            return actions[0] if actions else None
        if len(actions) == 2:
            first, second = actions

            def run_both(registers: Registers) -> None:
                first(registers)
                second(registers)

            return run_both

        def run(registers: Registers) -> None:
            for action in actions:
                action(registers)

        return run

    def statement(self, statement: Statement) -> Action:
        """The function that runs one statement."""
        if isinstance(statement, Assignment):
            return self.assignment(statement)
        if isinstance(statement, Store):
            return self.store(statement)
        if isinstance(statement, Evaluation):
            evaluated = self.expression(statement.value)

            def evaluate(registers: Registers) -> None:
                evaluated(registers)

            return evaluate
        if isinstance(statement, Decision):
            return self.decision(statement)
        return self.loop(statement)

    def store(self, statement: Store) -> Action:
        """A value into an element, whose place is found behind it."""
        array, values = self.array(statement.array)
        stored = self.expression(statement.value)
        known = [index.value for index in statement.indices if index.value is not None]
        if len(known) == len(statement.indices):
            at = array.offset(tuple(known))

            def store_there(registers: Registers) -> None:
                values[at] = stored(registers)

            return store_there
        offset = place(array, list(map(self.expression, statement.indices)))

        def store(registers: Registers) -> None:
            value = stored(registers)
            values[offset(registers)] = value

        return store

    def assignment(self, statement: Assignment) -> Action:
        """A value into a register; what two registers, or a register and a number, come to, without a detour."""
        target, node = statement.register, statement.value
        if isinstance(node, Call) and len(node.arguments) == 2:
            first, second = map(self.register, node.arguments)
            constant = node.arguments[1].value
            into = None if first is None or node.function.scalar is None else INTO.get(node.function.scalar)
            if into is not None and first is not None:
                if second is not None:
                    return into[0](target, first, second)
                if constant is not None:
                    return into[1](target, first, constant if node.function.scalar is not quotient else constant or 1.0)
        value = self.expression(node)

        def assign(registers: Registers) -> None:
            registers[target] = value(registers)

        return assign

    def decision(self, statement: Decision) -> Action:
        """``if``."""
        condition = self.expression(statement.condition)
        then, otherwise = self.block(statement.then), self.block(statement.otherwise)

        def decide(registers: Registers) -> None:
            action = then if condition(registers) else otherwise
            if action is not None:
                action(registers)

        return decide

    def loop(self, statement: Loop) -> Action:
        """``while`` or ``do``, whose rounds are counted."""
        condition, body = self.expression(statement.condition), self.block(statement.body) or _nothing
        surroundings, after = self.surroundings, statement.after
        left, weight = surroundings.rounds, 1 + size_of(statement.body) // _LONG

        def repeat(registers: Registers) -> None:
            if after:
                body(registers)
            rounds = 0
            while condition(registers):
                rounds += weight
                if rounds > left.left:
                    raise surroundings.too_long(statement)
                body(registers)
            left.left -= rounds

        return repeat


def _nothing(registers: Registers) -> None:
    """What an empty block does."""
