# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads modules and productions of cpfg. Any printed character but a few is a module's name."""

from ...base.module_string import SlotTable
from ...expressions.nodes import Node
from ...expressions.state import Block
from ..grammar import Production, Template
from ..production_parser import MAX_PARAMETERS
from ..program import SKIP_BRANCH
from .expressions import ExpressionReader
from .names import Names
from .scanner import ARROWS, Scanner

_ENDS = ("", "<", ">", ":", "*", "(", ")", *ARROWS)


class ProductionReader:
    """Reads the modules and productions of one file."""

    def __init__(self, scanner: Scanner, names: Names, expressions: ExpressionReader, table: SlotTable) -> None:
        self.scanner = scanner
        self.names = names
        self.expressions = expressions
        self.table = table

    def modules(self) -> tuple[Template, ...]:
        """Read modules with expressions as their parameters, or ``*`` for none."""
        scanner = self.scanner
        templates: list[Template] = []
        if scanner.symbol() == "*":
            scanner.take("*")
            return ()
        while (symbol := scanner.symbol()) not in _ENDS:
            start = scanner.offset
            scanner.take(symbol)
            parameters: list[Node] = []
            if scanner.symbol() == "(":
                scanner.take("(")
                if not scanner.accept(")"):
                    parameters = self.expressions.list_of_expressions()
                    scanner.expect(")", f" or ',' in the parameters of {symbol}")
            self.check_count(symbol, len(parameters), start)
            slot = self.table.add(symbol, len(parameters), *scanner.text.position(start))
            templates.append(Template(symbol, tuple(parameters), slot))
            if symbol == "%" and len(parameters) == 1:  # what will stand before the part that is cut
                self.table.add(symbol, 2, *scanner.text.position(start))
        return tuple(templates)

    def check_count(self, symbol: str, count: int, offset: int) -> None:
        """Raise if a module has too many parameters."""
        if count > MAX_PARAMETERS:
            raise self.scanner.error(f"{symbol} has more than {MAX_PARAMETERS} parameters", offset)

    def production(self) -> Production:
        """Read one production."""
        scanner = self.scanner
        self.names.begin_production()
        base = self.names.registers
        start = scanner.skip_blanks()
        left: tuple[int, ...] = ()
        left_names: list[str] = []
        strict, own_names = self.formal_modules()
        if scanner.symbol() == "<":
            scanner.take("<")
            left, left_names = strict, own_names
            start = scanner.skip_blanks()
            strict, own_names = self.formal_modules()
        right: tuple[int, ...] = ()
        right_names: list[str] = []
        if scanner.symbol() == ">":
            scanner.take(">")
            right, right_names = self.formal_modules(on_the_right=True)
        if not strict:
            raise scanner.error(f"expected the module that is replaced, found {scanner.found()}", start)
        parameters = (*own_names, *left_names, *right_names)
        for name in parameters:
            if name in (self.names.own or {}):
                raise scanner.error(f"the parameter '{name}' appears twice", start)
            self.names.add_parameter(name)
        before, condition, after = self.conditional()
        symbol = list(self.table.kinds)[strict[0]][0]
        arrow = scanner.symbol()
        if arrow not in ARROWS:
            raise scanner.error(f"expected '-->' after the predecessor {symbol}, found {scanner.found()}")
        scanner.take(arrow)
        successor = self.modules()
        weight = None
        if scanner.symbol() == ":":
            scanner.take(":")
            weight = self.expressions.expression()
        self.finish()
        line, column = scanner.text.position(start)
        return Production(
            symbol, strict[0], parameters, left, right, condition, weight, 0, successor, 0, False, line, column,
            strict, base, before, after,
        )  # fmt: skip

    def conditional(self) -> tuple[Block, Node | None, Block]:
        """Read the statements before the condition, the condition and the statements behind it."""
        scanner = self.scanner
        if scanner.symbol() != ":":
            return (), None, ()
        scanner.take(":")
        before = self.expressions.block() if scanner.token()[1] == "{" else ()
        condition = None
        if scanner.token()[1] == "*":
            scanner.take("*")
        elif scanner.token()[0] == "arrow":
            raise scanner.error("a condition is missing before '-->'; write * for one that always holds: ': {} * -->'")
        else:
            condition = self.expressions.expression(as_truth=True)
        after = self.expressions.block() if scanner.token()[1] == "{" else ()
        if after and (scanner.token()[0] in ("name", "number") or scanner.token()[1] == "("):
            message = "a second condition, behind statements; there may be one, and statements before it in front: "
            raise scanner.error(f"{message}': {{...}} x == 3 && n < 4 -->'")
        return before, condition, after

    def formal_modules(self, on_the_right: bool = False) -> tuple[tuple[int, ...], list[str]]:
        """Read modules with names as their parameters, or ``*`` for none: their kinds, and all names. In right contexts
        ``=`` stands for the rest of a branch."""
        scanner = self.scanner
        kinds: list[int] = []
        names: list[str] = []
        if scanner.symbol() == "*":
            scanner.take("*")
            return (), names
        while (symbol := scanner.symbol()) not in _ENDS:
            start = scanner.offset
            scanner.take(symbol)
            before = len(names)
            if scanner.symbol() == "(":
                scanner.take("(")
                while not scanner.accept(")"):
                    if len(names) > before:
                        scanner.expect(",", f" or ')' in the parameters of {symbol}")
                    kind, name = scanner.token()
                    if kind != "name":
                        raise scanner.error(f"expected the name of a parameter of {symbol}, found {scanner.found()}")
                    names.append(scanner.take(name))
            self.check_count(symbol, len(names) - before, start)
            skips = on_the_right and symbol == "=" and len(names) == before
            kinds.append(SKIP_BRANCH if skips else self.table.kind(symbol, len(names) - before))
        return tuple(kinds), names

    def finish(self) -> None:
        """Raise if the statement goes on."""
        if self.scanner.symbol():
            what = "a production ends with its line, unless the next begins with a tab"
            raise self.scanner.error(f"unexpected '{self.scanner.symbol()}'; {what}")
