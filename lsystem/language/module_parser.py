# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads modules and productions."""

import re
from collections.abc import Mapping

from ..base.cursor import Cursor
from ..base.module_string import SlotTable
from ..base.organs import ORGAN_SYMBOLS, ORGANS
from ..base.settings import SETTINGS
from ..expressions.nodes import Constant, Node
from ..expressions.parser import Draws, Scope, is_reserved, parse_expression
from .grammar import Context, Production, Template

TURTLE_SIGNS = "+-&^\\/|[]!$'{}.%"
MAX_PARAMETERS = 64
MAX_BRANCHES = 50
NAME = re.compile(r"[^\W\d]\w*")

_ARROWS = ("-->", "->", "→")
_SYMBOL = re.compile(r"[^\W\d_](?:_\w)?")
_NO_BRACKETS = "brackets cannot be replaced; indent a line that continues the one above"
_UNREPLACEABLE = "[]%"


def found(cursor: Cursor) -> str:
    """What comes next, for messages."""
    return f"'{cursor.peek()}'" if cursor.peek() else "the end of the statement"


def at_arrow(cursor: Cursor) -> bool:
    """Whether an arrow comes next."""
    cursor.skip_space()
    return any(cursor.text.content.startswith(arrow, cursor.offset, cursor.end) for arrow in _ARROWS)


def read_symbol(cursor: Cursor) -> str:
    """A letter (with one subscript, as `F_l`), a turtle sign, `~` and an organ's name, `@` and a setting's name."""
    character = cursor.peek()
    content = cursor.text.content
    if character in TURTLE_SIGNS:
        symbol = character
    elif character in ("~", "@"):
        known, what = (ORGAN_SYMBOLS, "organ") if character == "~" else (SETTINGS, "setting")
        name = NAME.match(content, cursor.offset + 1, cursor.end)
        symbol = character + (name.group() if name else "")
        if symbol not in known:
            raise cursor.error(f"unknown {what} '{symbol}' (known: {', '.join(known)})")
    else:
        letter = _SYMBOL.match(content, cursor.offset, cursor.end)
        if letter is None:
            raise cursor.error(f"'{character}' is not a symbol of this language")
        symbol = letter.group()
    cursor.offset += len(symbol)
    return symbol


def read_modules(cursor: Cursor, scope: Scope, table: SlotTable) -> tuple[Template, ...]:
    """Read modules up to the end of the statement, or to a colon."""
    templates = []
    while cursor.peek() not in ("", ":"):
        if at_arrow(cursor):
            raise cursor.error("a second arrow in one statement; a new production starts without indentation")
        start = cursor.offset
        line, column = cursor.text.position(start)
        symbol = read_symbol(cursor)
        parameters: list[Node] = []
        if cursor.accept("(") and not cursor.accept(")"):
            parameters.append(_argument(cursor, scope, symbol))
            while cursor.accept(","):
                parameters.append(_argument(cursor, scope, symbol))
            if not cursor.accept(")"):
                raise cursor.error(f"expected ',' or ')' in the parameters of {symbol}, found {found(cursor)}")
        if len(parameters) > MAX_PARAMETERS:
            raise cursor.error(f"{symbol} has more than {MAX_PARAMETERS} parameters", start)
        slot = table.add(symbol, len(parameters), line, column)
        templates.append(Template(symbol, tuple(parameters), line, column, slot))
    return tuple(templates)


def _argument(cursor: Cursor, scope: Scope, symbol: str) -> Node:
    if symbol == "@organ":
        cursor.skip_space()
        name = NAME.match(cursor.text.content, cursor.offset, cursor.end)
        if name and name.group() in ORGANS:
            cursor.offset = name.end()
            return Constant(float(ORGANS.index(name.group())))
    return parse_expression(cursor, scope)


class ProductionParser:
    """Reads the productions of one text."""

    def __init__(self, constants: Mapping[str, float], table: SlotTable) -> None:
        self.constants = constants
        self.table = table

    def read(self, cursor: Cursor, with_context: bool = True) -> Production:
        """Read one statement. Decomposition and interpretation rules have no context."""
        cursor.skip_space()
        names: list[str] = []
        left: tuple[Context, list[str]] = ((), [])
        start = cursor.offset
        context = self.context(cursor, names)
        if cursor.accept("<"):
            left = context
            cursor.skip_space()
            start = cursor.offset
            context = self.context(cursor, names)
        strict, own = context
        line, column = cursor.text.position(start)
        if len(strict) != 1:
            message = "a production replaces one module; '<' and '>' separate it from its context"
            raise cursor.error(message if strict else f"expected a symbol, found {found(cursor)}", start)
        kind = strict[0]
        assert isinstance(kind, int)  # only right contexts have branches
        symbol = list(self.table.kinds)[kind][0]
        right = self.context(cursor, names, right=True) if cursor.accept(">") else ((), [])
        if (left[0] or right[0]) and not with_context:
            raise cursor.error("decomposition and interpretation rules have no context", start)
        parameters = (*own, *left[1], *right[1])
        draws = Draws()
        scope = Scope(self.constants, parameters, draws, clock=True)
        condition = None
        if cursor.accept(":") and not cursor.accept("*"):
            condition = parse_expression(cursor, scope)
        if not any(cursor.accept(arrow) for arrow in _ARROWS):
            raise cursor.error(f"expected '->' after the predecessor {symbol}, found {found(cursor)}")
        successor_draws = Draws()
        successor_scope = Scope(self.constants, parameters, successor_draws, clock=True)
        successor = read_modules(cursor, successor_scope, self.table)
        weight = parse_expression(cursor, scope) if cursor.accept(":") else None
        if cursor.peek():
            raise cursor.error(f"unexpected {found(cursor)}")
        return Production(
            symbol, kind, parameters, left[0], right[0], condition, weight, draws.count, successor,
            successor_draws.count, draws.clocks + successor_draws.clocks > 0, line, column,
        )  # fmt: skip

    def context(
        self, cursor: Cursor, names: list[str], right: bool = False, nested: int = 0
    ) -> tuple[Context, list[str]]:
        """Read the modules of a predecessor; every parameter has a name of its own. Only right contexts branch."""
        parts: list[int | Context] = []
        own: list[str] = []
        if nested > MAX_BRANCHES:
            raise cursor.error(f"a context nests branches more than {MAX_BRANCHES} deep")
        if cursor.peek() == "*" and not nested:
            cursor.offset += 1
            return (), own
        while cursor.peek() not in ("", "<", ">", ":", "=") and not at_arrow(cursor):
            start = cursor.offset
            symbol = read_symbol(cursor)
            if symbol == "[" and right:
                inside, more = self.context(cursor, names, right=True, nested=nested + 1)
                if not cursor.accept("]"):
                    raise cursor.error("this '[' of a context is never closed", start)
                parts.append(inside)
                own += more
                continue
            if symbol == "]" and nested:
                cursor.offset = start
                break
            if symbol in _UNREPLACEABLE:
                message = "a cut cannot be replaced" if symbol == "%" else _NO_BRACKETS
                raise cursor.error(message if not parts else f"'{symbol}' cannot be part of this context", start)
            parameters = self.names(cursor, symbol, names)
            own += parameters
            parts.append(self.table.kind(symbol, len(parameters)))
        return tuple(parts), own

    def names(self, cursor: Cursor, symbol: str, names: list[str]) -> list[str]:
        """Read the parameters' names of a module of a predecessor."""
        parameters: list[str] = []
        if cursor.accept("(") and not cursor.accept(")"):
            while True:
                cursor.skip_space()
                start = cursor.offset
                name = read_name(cursor, "parameter", self.constants)
                if name in names:
                    raise cursor.error(f"the parameter '{name}' appears twice", start)
                names.append(name)
                parameters.append(name)
                if not cursor.accept(","):
                    break
            if not cursor.accept(")"):
                raise cursor.error(f"expected ',' or ')' in the parameters of {symbol}")
        if len(parameters) > MAX_PARAMETERS:
            raise cursor.error(f"{symbol} has more than {MAX_PARAMETERS} parameters")
        return parameters


def read_name(cursor: Cursor, what: str, constants: Mapping[str, float]) -> str:
    """Read a new name of a constant or a parameter."""
    cursor.skip_space()
    match = NAME.match(cursor.text.content, cursor.offset, cursor.end)
    if match is None:
        raise cursor.error(f"expected the name of a {what}")
    name = match.group()
    if is_reserved(name):
        raise cursor.error(f"'{name}' is a function; a {what} needs another name")
    if name in constants:
        raise cursor.error(f"'{name}' is a constant already")
    cursor.offset = match.end()
    return name
