# SPDX-License-Identifier: GPL-3.0-or-later
"""A straight-line program of SymPy expressions in which nothing is computed twice, in place of the D* graph that
Guenter & Lee 2009 build on: sharing, `coefficient` (their algorithm 1) and `substitute` (their section 4).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import sympy
from sympy import Add, Expr, Mul, Pow, Symbol


class Operations(NamedTuple):
    """Arithmetic of a program, counted as in their table 1; functions such as sine apart."""

    additions: int
    multiplications: int
    functions: int

    @property
    def arithmetic(self) -> int:
        return self.additions + self.multiplications


class Program:
    """Definitions in order, each of a new symbol by an expression of earlier ones."""

    def __init__(self, linear: Sequence[Symbol]):
        """linear: the symbols (accelerations) whose coefficients will be asked for."""
        self._definition: dict[Symbol, Expr] = {}
        self._symbol: dict[Expr, Symbol] = {}
        self._mask: dict[Symbol, int] = {v: 1 << k for k, v in enumerate(linear)}
        self._coefficients: dict[tuple[Symbol, Symbol], Expr] = {}
        self._constant: dict[Symbol, Expr] = {}

    def share(self, expression: Expr) -> Expr:
        """Return a symbol (or its negative, or a number) that stands for the expression, defining it if it is new."""
        expression = sympy.sympify(expression)
        if expression.is_Atom:
            return expression
        if expression not in self._symbol:
            negative = -expression
            if negative.is_Atom or negative in self._symbol:
                return -self.share(negative)
            symbol = Symbol(f"x{len(self._definition)}")
            self._symbol[expression] = symbol
            self._definition[symbol] = expression
            mask = 0
            for used in expression.free_symbols:
                mask |= self._mask.get(used, 0)
            self._mask[symbol] = mask
        return self._symbol[expression]

    def share_all(self, expressions: Sequence[Expr]) -> list[Expr]:
        """Share several expressions and what they have in common."""
        common, reduced = sympy.cse(expressions, symbols=sympy.numbered_symbols("cse", sympy.Dummy))
        known: dict[Expr, Expr] = {}
        for symbol, expression in common:
            known[symbol] = self.share(expression.xreplace(known))
        return [self.share(expression.xreplace(known)) for expression in reduced]

    def sum_of_products(self, pairs: Sequence[tuple[Expr, Expr]]) -> Expr:
        return self.share(Add(*(a * b for a, b in pairs if a != 0 and b != 0)))

    def coefficient(self, expression: Expr, of: Symbol) -> Expr:
        """What multiplies the symbol in an expression linear in it. Raises ValueError where it is not linear."""
        if expression == of:
            return sympy.Integer(1)
        if not self._depends(expression, of):
            return sympy.Integer(0)
        if expression.is_Symbol:
            key = (expression, of)
            if key not in self._coefficients:
                self._coefficients[key] = self.share(self.coefficient(self._definition[expression], of))
            return self._coefficients[key]
        if expression.is_Add:
            return Add(*(self.coefficient(term, of) for term in expression.args))
        if expression.is_Mul:
            inside = [factor for factor in expression.args if self._depends(factor, of)]
            if len(inside) == 1:
                others = [factor for factor in expression.args if factor is not inside[0]]
                return Mul(*others, self.coefficient(inside[0], of))
        raise ValueError(f"{expression} is not linear in {of}")

    def without_linear(self, expression: Expr) -> Expr:
        """Return the expression with all linear symbols set to zero."""
        if expression.is_Symbol:
            if self._mask.get(expression, 0) == 0:
                return expression
            if expression not in self._definition:
                return sympy.Integer(0)
            if expression not in self._constant:
                self._constant[expression] = self.share(self.without_linear(self._definition[expression]))
            return self._constant[expression]
        return expression.xreplace({used: self.without_linear(used) for used in expression.free_symbols})

    def needed(self, outputs: Sequence[Expr]) -> list[tuple[Symbol, Expr]]:
        """Definitions the outputs are made of, in order."""
        ready = [symbol for output in outputs for symbol in output.free_symbols]
        found: set[Symbol] = set()
        while ready:
            symbol = ready.pop()
            if symbol in self._definition and symbol not in found:
                found.add(symbol)
                ready.extend(self._definition[symbol].free_symbols)
        return [(symbol, expression) for symbol, expression in self._definition.items() if symbol in found]

    def operations(self, outputs: Sequence[Expr]) -> Operations:
        additions = multiplications = functions = 0
        for _, expression in self.needed(outputs):
            for part in sympy.preorder_traversal(expression):
                if part.is_Add:
                    additions += len(part.args) - 1
                elif part.is_Mul:  # a sign is a subtraction
                    multiplications += len(part.args) - 1 - (part.args[0] == -1)
                elif isinstance(part, Pow) and part.exp.is_Integer and part.exp > 0:
                    multiplications += int(part.exp) - 1
                elif part.args:
                    functions += 1
        return Operations(additions, multiplications, functions)

    def compiled(self, arguments: Sequence[Sequence[Symbol]], outputs: Sequence[Expr]) -> Callable[..., list[float]]:
        """The generated Python function of flat sequences of numbers."""
        definitions = self.needed(outputs)
        return sympy.lambdify(
            [list(group) for group in arguments],
            list(outputs),
            modules="math",
            cse=lambda wanted: (definitions, wanted),
        )

    def _depends(self, expression: Expr, on: Symbol) -> bool:
        bit = self._mask[on]
        if expression.is_Symbol:
            return bool(self._mask.get(expression, 0) & bit)
        return any(self._mask.get(used, 0) & bit for used in expression.free_symbols)
