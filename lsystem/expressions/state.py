# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of expressions that depend on more than a module and its context, and statements that change such things.

They have values only while modules are replaced one by one, in the order of the string: see `closures`.
"""

from dataclasses import dataclass

from ..base.cursor import Text
from .functions import Value
from .nodes import Node, Operation, Rows


class Sequential(Node):
    """A node whose value may change from one module to the next."""

    def __call__(self, rows: Rows) -> Value:
        """Is never asked: grammars with such nodes are not derived over arrays."""
        raise TypeError(f"{type(self).__name__} has no value for many modules at once")


@dataclass(frozen=True)
class Variable(Sequential):
    """What stands in a register."""

    register: int


@dataclass
class Element(Operation, Sequential):
    """An element of an array; the arguments are its indices."""

    array: int


@dataclass
class Effect(Operation, Sequential):
    """A function that reads or changes something besides its arguments, such as a stream of random numbers."""

    name: str
    text: Text
    offset: int


@dataclass(frozen=True)
class Assignment:
    """A value goes into a register."""

    register: int
    value: Node


@dataclass(frozen=True)
class Store:
    """A value goes into an element of an array."""

    array: int
    indices: tuple[Node, ...]
    value: Node


@dataclass(frozen=True)
class Evaluation:
    """An expression is evaluated for what it does."""

    value: Node


@dataclass(frozen=True)
class Decision:
    """``if``."""

    condition: Node
    then: "Block"
    otherwise: "Block"


@dataclass(frozen=True)
class Loop:
    """``while``, or ``do`` if the condition is looked at after the body."""

    condition: Node
    body: "Block"
    after: bool
    text: Text
    offset: int


Statement = Assignment | Store | Evaluation | Decision | Loop
Block = tuple[Statement, ...]


@dataclass(frozen=True)
class Array:
    """An array of numbers and what it holds at the beginning, row by row."""

    sizes: tuple[int, ...]
    values: tuple[float, ...]

    def offset(self, indices: tuple[float, ...]) -> int:
        """Where an element is; an index that is out of range is the nearest one that is not.

        As with cpfg a fraction of one index goes on into those behind it: the place of all together is made whole.
        """
        place = 0.0
        for index, size in zip(indices, self.sizes, strict=True):
            place *= size
            if index >= size:
                place += size - 1
            elif index > 0.0:  # no more is anything that is not a number
                place += index
        return min(int(place), len(self.values) - 1)


def size_of(block: Block) -> int:
    """How many statements and nodes of expressions a block has; rounds of loops count for themselves."""
    size = len(block)
    for statement in block:
        if isinstance(statement, Decision):
            size += len(parts(statement.condition)) + size_of(statement.then) + size_of(statement.otherwise)
        elif isinstance(statement, Loop):
            size += len(parts(statement.condition)) + (size_of(statement.body) if statement.after else 0)
        else:
            size += len(parts(statement.value))
            if isinstance(statement, Store):
                size += sum(len(parts(index)) for index in statement.indices)
    return size


def parts(node: Node) -> list[Node]:
    """A node and all nodes in it."""
    found = [node]
    for one in found:
        if isinstance(one, Operation):
            found.extend(one.arguments)
    return found
