# SPDX-License-Identifier: GPL-3.0-or-later
"""``&&``, ``||`` and ``? :`` where cpfg's stack shows: what cpfg comes to, not what the expression seems to say.

cpfg works through an expression with one stack, leaves first (vlab, cpfg/generate.c, Eval). Behind a first side that is
no leaf it may skip an operation: then what is on top of the stack goes on as its value, a condition may stay below,
and the operator around takes these. Behind a leaf nothing is skipped: all sides are evaluated, and draw numbers.
Only expressions for which that differs from the plain meaning become `Stacked`; all others are left alone.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..base.errors import ExpressionError
from .arithmetic import Expression, Registers
from .functions import quotient
from .nodes import Call, Choice, Logical, Node, Number, Operation, Parameter
from .state import Effect, Element, Sequential, Variable, parts

_Run = Callable[[Registers, list[float]], int]
"""Puts the value of a part on the stack, given the registers; tells how the part ended."""
_LEAF, _DONE, _SKIPPED = range(3)
"""How a part of an expression ends: it is a leaf, it was computed, its operation was skipped."""
_TRUTHS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_)
_PLAIN_SUMS = (operator.add, operator.sub, operator.mul, quotient)
_READING = frozenset(["func", "curveX", "curveY", "curveZ", "curveGAL", "GetDerivationLength"])
"""Functions of more than their arguments that change nothing."""


@dataclass(frozen=True)
class Computed(Number):
    """A number that stands as an operation in the text, such as -1, and hence is no leaf."""

    is_of_one: bool = False
    """Whether the first leaf of it stands alone: see `lone_leaf`."""


@dataclass
class Stacked(Operation, Sequential):
    """A whole expression, the only argument, that is worked out with a stack as cpfg does."""


class _Shape(NamedTuple):
    """What may happen while a part is worked out."""

    differs: bool
    """Its value, or what is drawn for it, may not be the plain one."""
    leaves_more: bool
    """More than its value may be left on the stack, below it."""
    skips: bool
    """Its operation may be skipped."""
    is_truth: bool
    """Its value is 0 or 1."""
    acts: bool
    """It has functions that change something, such as streams of random numbers."""


def settled(node: Node, as_truth: bool) -> Node:
    """A whole expression as it is, or `Stacked`; as_truth: only whether it comes to zero is looked at."""
    return Stacked((node,)) if _shape(node, as_truth).differs else node


def is_leaf(node: Node) -> bool:
    """Whether cpfg sees no operation in a part."""
    return isinstance(node, Number | Parameter | Variable) and not isinstance(node, Computed)


def lone_leaf(node: Node) -> Node | None:
    """The first leaf of a subscript, if it is all that its operator or its function has; else None.

    Where an element is assigned to by such a subscript, as in ``a[floor(i)] = 3``, cpfg assigns to this leaf.
    """
    if isinstance(node, Computed):
        return node if node.is_of_one else None
    if not isinstance(node, Operation) or not node.arguments:
        return None
    first = node.arguments[0]
    if not is_leaf(first):
        return lone_leaf(first)
    return first if len(node.arguments) == 1 and not isinstance(node, Element | Stacked) else None


def is_constant(node: Node) -> bool:
    """Whether a part is made of numbers alone."""
    return all(isinstance(part, Number | Call | Logical | Choice | Stacked) for part in parts(node))


def _shape(node: Node, as_truth: bool) -> _Shape:
    if isinstance(node, Logical):
        return _shape_of_logical(node, as_truth)
    if isinstance(node, Choice):
        return _shape_of_choice(node, as_truth)
    if not isinstance(node, Operation):
        return _Shape(False, False, False, node.value in (0.0, 1.0), False)
    is_not = isinstance(node, Call) and node.function.scalar is operator.not_
    shapes = [_shape(argument, is_not) for argument in node.arguments]
    return _Shape(
        any(shape.differs for shape in shapes) or any(shape.leaves_more for shape in shapes[1:]),
        any(shape.leaves_more for shape in shapes),
        False,
        isinstance(node, Call) and node.function.scalar in _TRUTHS,
        any(shape.acts for shape in shapes) or (isinstance(node, Effect) and node.name not in _READING),
    )


def _shape_of_logical(node: Logical, as_truth: bool) -> _Shape:
    one, other = (_shape(argument, as_truth or node.is_and) for argument in node.arguments)
    leaf = is_leaf(node.arguments[0])
    keeps_value = not node.is_and and not ((leaf or one.is_truth) and (other.is_truth or not other.skips))
    always_both = leaf or (not node.is_and and not one.is_truth)  # a fraction below 1 skips nothing either
    return _Shape(
        one.differs or other.differs or other.leaves_more or (keeps_value and not as_truth)
        or (always_both and other.acts),
        one.leaves_more or other.leaves_more or other.skips,
        not leaf or other.skips,
        not keeps_value,
        one.acts or other.acts,
    )  # fmt: skip


def _shape_of_choice(node: Choice, as_truth: bool) -> _Shape:
    condition, then, otherwise = node.arguments
    first, second, third = _shape(condition, True), _shape(then, as_truth), _shape(otherwise, as_truth)
    skips = not is_leaf(then)
    return _Shape(
        first.differs or second.differs or third.differs or second.leaves_more or third.leaves_more
        or (is_leaf(condition) and (skips or second.acts))
        or (not skips and third.acts),
        first.leaves_more or second.leaves_more or third.leaves_more or skips,
        skips,
        second.is_truth and third.is_truth,
        first.acts or second.acts or third.acts,
    )  # fmt: skip


def with_stack(node: Stacked, compiled: Callable[[Node], Expression]) -> Expression:
    """The function that works out an expression; compiled: makes functions of plain ones. It raises
    `ExpressionError`."""
    run = _run(node.arguments[0], compiled)

    def evaluate(registers: Registers) -> float:
        stack: list[float] = []
        run(registers, stack)
        return stack[-1]

    return evaluate


def _run(node: Node, compiled: Callable[[Node], Expression]) -> _Run:
    if _is_plain(node):
        value, ends = compiled(node), _LEAF if is_leaf(node) else _DONE

        def plain(registers: Registers, stack: list[float]) -> int:
            stack.append(value(registers))
            return ends

        return plain
    assert isinstance(node, Operation)  # others are plain
    sides = node.arguments
    decided = all(map(_is_plain, sides)) and not any(_shape(side, False).acts for side in sides)
    if isinstance(node, Logical) and decided:
        return _plain_logical(node.is_and, is_leaf(sides[0]), *map(compiled, sides))
    if isinstance(node, Choice) and decided and not is_leaf(sides[0]):
        return _plain_choice(is_leaf(sides[1]), *map(compiled, sides))
    runs = [_run(side, compiled) for side in sides]
    if isinstance(node, Logical):
        return _logical(node.is_and, *runs)
    if isinstance(node, Choice):
        return _choice(*runs)
    assert isinstance(node, Call | Effect | Element)  # there are no others
    return _applied(node, runs, compiled)


def _is_plain(node: Node) -> bool:
    """Whether a part comes to its plain value and leaves nothing else on the stack."""
    shape = _shape(node, False)
    return not (shape.differs or shape.leaves_more or shape.skips)


def _applied(node: Call | Effect | Element, runs: list[_Run], compiled: Callable[[Node], Expression]) -> _Run:
    """An operator or a function, which takes as many values from the stack as it has arguments."""
    if len(runs) == 2 and isinstance(node, Call) and node.function.scalar in _PLAIN_SUMS:
        return _applied_to_two(node.function.scalar, *runs)
    count = len(runs)
    function = compiled(replace(node, arguments=tuple([Variable(place) for place in range(count)])))

    def apply(registers: Registers, stack: list[float]) -> int:
        for run in runs:
            run(registers, stack)
        values = stack[-count:]
        stack[-count:] = [function(values)]
        return _DONE

    return apply


def _applied_to_two(compute: Callable[[float, float], float], one: _Run, other: _Run) -> _Run:
    def apply(registers: Registers, stack: list[float]) -> int:
        one(registers, stack)
        other(registers, stack)
        second = stack.pop()
        stack[-1] = compute(stack[-1], second)
        return _DONE

    return apply


def _plain_logical(is_and: bool, of_leaf: bool, one: Expression, other: Expression) -> _Run:
    """Of sides that are plain and change nothing: what is not needed is not worked out."""
    def run(registers: Registers, stack: list[float]) -> int:
        first = one(registers)
        if not of_leaf and (not first if is_and else _as_character(first)):
            stack.append(first)
            return _SKIPPED
        decided = bool(first) != is_and
        stack.append((0.0 if is_and else 1.0) if decided else 1.0 if other(registers) else 0.0)
        return _DONE

    return run


def _plain_choice(of_leaf: bool, condition: Expression, then: Expression, otherwise: Expression) -> _Run:
    """The same for a condition that is no leaf; of_leaf: whether the middle is one."""
    def run(registers: Registers, stack: list[float]) -> int:
        holds = condition(registers)
        if not holds:
            stack.append(otherwise(registers))
            return _DONE
        value = then(registers)
        if of_leaf or not value:
            stack.append(value)
            return _DONE
        stack += (holds, value)
        return _SKIPPED

    return run


def _logical(is_and: bool, one: _Run, other: _Run) -> _Run:
    def decides(value: float) -> bool:
        return not value if is_and else _as_character(value) != 0

    def run(registers: Registers, stack: list[float]) -> int:
        if one(registers, stack) != _LEAF and decides(stack[-1]):
            return _SKIPPED
        if _go(other, registers, stack, bool(stack[-1]) == is_and) == _SKIPPED and decides(stack[-1]):
            return _SKIPPED
        second = stack.pop()
        first = stack[-1]
        stack[-1] = 1.0 if (first and second if is_and else first or second) else 0.0
        return _DONE

    return run


def _choice(condition: _Run, then: _Run, otherwise: _Run) -> _Run:
    def run(registers: Registers, stack: list[float]) -> int:
        ends = condition(registers, stack)
        holds = bool(stack[-1])
        if ends != _LEAF and not holds:
            stack.append(0.0)
            _go(otherwise, registers, stack, True)
        elif _go(then, registers, stack, holds) == _LEAF:
            _go(otherwise, registers, stack, not holds)
        elif not stack[-1]:
            stack.append(0.0)  # taken for a condition that does not hold
        elif stack[-2]:
            return _SKIPPED
        else:
            _go(otherwise, registers, stack, not holds)
        third, second = stack.pop(), stack.pop()
        stack[-1] = second if stack[-1] else third
        return _DONE

    return run


def _go(run: _Run, registers: Registers, stack: list[float], counts: bool) -> int:
    """Work out one side. counts: whether its value does; of one that does not, cpfg keeps even what is no number."""
    if counts:
        return run(registers, stack)
    height = len(stack)
    try:
        return run(registers, stack)
    except ExpressionError:  # what it would have come to is not used
        stack[height:] = [0.0]
        return _DONE


def _as_character(value: float) -> int:
    """A value as C makes a byte of it, for which a fraction below 1, and 256, are 0."""
    return int(value) & 255 if -(2.0**31) <= value < 2.0**31 else 0
