# SPDX-License-Identifier: GPL-3.0-or-later
"""The commonest operators as functions of registers, without a detour through other functions."""

import operator
from collections.abc import Callable

from .functions import quotient

Registers = list[float]
Expression = Callable[[Registers], float]
Action = Callable[[Registers], None]

MAKERS: dict[Callable[..., float], tuple[Callable[..., Expression], ...]] = {
    operator.add: (
        lambda i, j: lambda r: r[i] + r[j], lambda i, c: lambda r: r[i] + c,
        lambda a, c: lambda r: a(r) + c, lambda a, b: lambda r: a(r) + b(r),
    ),
    operator.sub: (
        lambda i, j: lambda r: r[i] - r[j], lambda i, c: lambda r: r[i] - c,
        lambda a, c: lambda r: a(r) - c, lambda a, b: lambda r: a(r) - b(r),
    ),
    operator.mul: (
        lambda i, j: lambda r: r[i] * r[j], lambda i, c: lambda r: r[i] * c,
        lambda a, c: lambda r: a(r) * c, lambda a, b: lambda r: a(r) * b(r),
    ),
    operator.truediv: (
        lambda i, j: lambda r: r[i] / r[j], lambda i, c: lambda r: r[i] / c,
        lambda a, c: lambda r: a(r) / c, lambda a, b: lambda r: a(r) / b(r),
    ),
    operator.lt: (
        lambda i, j: lambda r: 1.0 if r[i] < r[j] else 0.0, lambda i, c: lambda r: 1.0 if r[i] < c else 0.0,
        lambda a, c: lambda r: 1.0 if a(r) < c else 0.0, lambda a, b: lambda r: 1.0 if a(r) < b(r) else 0.0,
    ),
    operator.gt: (
        lambda i, j: lambda r: 1.0 if r[i] > r[j] else 0.0, lambda i, c: lambda r: 1.0 if r[i] > c else 0.0,
        lambda a, c: lambda r: 1.0 if a(r) > c else 0.0, lambda a, b: lambda r: 1.0 if a(r) > b(r) else 0.0,
    ),
    operator.le: (
        lambda i, j: lambda r: 1.0 if r[i] <= r[j] else 0.0, lambda i, c: lambda r: 1.0 if r[i] <= c else 0.0,
        lambda a, c: lambda r: 1.0 if a(r) <= c else 0.0, lambda a, b: lambda r: 1.0 if a(r) <= b(r) else 0.0,
    ),
    operator.ge: (
        lambda i, j: lambda r: 1.0 if r[i] >= r[j] else 0.0, lambda i, c: lambda r: 1.0 if r[i] >= c else 0.0,
        lambda a, c: lambda r: 1.0 if a(r) >= c else 0.0, lambda a, b: lambda r: 1.0 if a(r) >= b(r) else 0.0,
    ),
    operator.eq: (
        lambda i, j: lambda r: 1.0 if r[i] == r[j] else 0.0, lambda i, c: lambda r: 1.0 if r[i] == c else 0.0,
        lambda a, c: lambda r: 1.0 if a(r) == c else 0.0, lambda a, b: lambda r: 1.0 if a(r) == b(r) else 0.0,
    ),
    operator.ne: (
        lambda i, j: lambda r: 1.0 if r[i] != r[j] else 0.0, lambda i, c: lambda r: 1.0 if r[i] != c else 0.0,
        lambda a, c: lambda r: 1.0 if a(r) != c else 0.0, lambda a, b: lambda r: 1.0 if a(r) != b(r) else 0.0,
    ),
}  # fmt: skip
"""For the commonest operators what they come to, of two registers, a register and a number, an expression and a number,
or two expressions."""



def _sum_of_registers(t: int, i: int, j: int) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] + r[j]

    return assign


def _sum(t: int, i: int, c: float) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] + c

    return assign


def _difference_of_registers(t: int, i: int, j: int) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] - r[j]

    return assign


def _difference(t: int, i: int, c: float) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] - c

    return assign


def _product_of_registers(t: int, i: int, j: int) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] * r[j]

    return assign


def _product(t: int, i: int, c: float) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] * c

    return assign


def _quotient_of_registers(t: int, i: int, j: int) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] / (r[j] or 1.0)

    return assign


def _quotient(t: int, i: int, c: float) -> Action:
    def assign(r: Registers) -> None:
        r[t] = r[i] / c

    return assign


INTO: dict[Callable[..., float], tuple[Callable[[int, int, int], Action], Callable[[int, int, float], Action]]] = {
    operator.add: (_sum_of_registers, _sum),
    operator.sub: (_difference_of_registers, _difference),
    operator.mul: (_product_of_registers, _product),
    quotient: (_quotient_of_registers, _quotient),
}
"""Statements that put what an operator comes to into register t: of registers i and j, or of register i and c."""
