# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads modules and productions."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from ..base.cursor import NAME, Cursor
from ..base.module_string import SlotTable
from ..base.organs import ORGAN_SYMBOLS
from ..base.settings import SETTINGS
from ..expressions.nodes import Node, Number
from ..expressions.parser import Draws, Scope, is_reserved, parse_expression
from ..expressions.state import Assignment, Block, Statement
from .grammar import Context, Production, Template

TURTLE_SIGNS = "+-&^\\/|[]!$'{}.%"
MAX_PARAMETERS = 64
MAX_BRANCHES = 50

_ARROW = re.compile("-->|->|→")
_SYMBOL = re.compile(r"[^\W\d_](?:_\w)?")
_NO_BRACKETS = "brackets cannot be replaced; indent a line that continues the one above"
_UNREPLACEABLE = "[]%"
QUESTIONS = ("?P", "?H", "?L", "?U", "?Q", "?E")
"""Modules that ask for the turtle's place, for its axes, for its rotation, and the environment."""
DIRECTIONS = ("@heading", "@up")
"""Modules that turn the turtle to a direction of the world."""
_NAMED: dict[str, tuple[Collection[str], str]] = {
    "~": (ORGAN_SYMBOLS, "organ"),
    "@": ((*SETTINGS, *DIRECTIONS), "setting"),
    "?": (QUESTIONS, "question"),
}
"""What symbols begin with that have names, and what these are."""


def at_arrow(cursor: Cursor) -> bool:
    """Whether an arrow comes next."""
    return bool(cursor.match(_ARROW))


def read_symbol(cursor: Cursor) -> str:
    """A letter (with one subscript, as `F_l`), a turtle sign, or a sign and a name: `~Leaf`, `@density`, `?P`."""
    character = cursor.peek()
    if character in TURTLE_SIGNS:
        symbol = character
    elif character in _NAMED:
        known, what = _NAMED[character]
        name = NAME.match(cursor.text.content, cursor.offset + 1, cursor.end)
        symbol = character + (name.group() if name else "")
        if symbol not in known:
            raise cursor.error(f"unknown {what} '{symbol}' (known: {', '.join(known)})")
    else:
        symbol = cursor.match(_SYMBOL)
        if not symbol:
            raise cursor.error(f"'{character}' is not a symbol of this language")
    cursor.offset += len(symbol)
    return symbol


def read_modules(cursor: Cursor, scope: Scope, table: SlotTable) -> tuple[Template, ...]:
    """Read modules up to the end of the statement, or to a colon."""
    templates = []
    while cursor.peek() not in ("", ":"):
        if at_arrow(cursor):
            raise cursor.error("a second arrow in one statement; a new production starts without indentation")
        start = cursor.offset
        symbol = read_symbol(cursor)
        parameters: list[Node] = []
        if cursor.accept("(") and not cursor.accept(")"):
            while not parameters or cursor.accept(","):
                parameters.append(_argument(cursor, scope, symbol))
            if not cursor.accept(")"):
                raise cursor.error(f"expected ',' or ')' in the parameters of {symbol}, found {cursor.found()}")
        if len(parameters) > MAX_PARAMETERS:
            raise cursor.error(f"{symbol} has more than {MAX_PARAMETERS} parameters", start)
        slot = table.add(symbol, len(parameters), *cursor.text.position(start))
        templates.append(Template(symbol, tuple(parameters), slot))
    return tuple(templates)


def _argument(cursor: Cursor, scope: Scope, symbol: str) -> Node:
    name, names = cursor.match(NAME), SETTINGS[symbol].names if symbol in SETTINGS else ()
    if name in names:
        cursor.offset += len(name)
        return Number(float(names.index(name)))
    return parse_expression(cursor, scope)


@dataclass
class ProductionParser:
    """Reads the productions of one text."""

    constants: Mapping[str, float]
    table: SlotTable

    def read(self, cursor: Cursor, with_context: bool = True) -> Production:
        """Read one statement. Decomposition and interpretation rules have no context."""
        names: list[str] = []
        left: Context = ()
        own = 0
        start = cursor.skip_space()
        strict = self.context(cursor, names)
        if cursor.accept("<"):
            left, own = strict, len(names)
            start = cursor.skip_space()
            strict = self.context(cursor, names)
        kind = self.strict_predecessor(cursor, strict, start)
        symbol = list(self.table.kinds)[kind][0]
        others = len(names)
        right = self.context(cursor, names, right=True) if cursor.accept(">") else ()
        if (left or right) and not with_context:
            raise cursor.error("decomposition and interpretation rules have no context", start)
        draws, successor_draws = Draws(), Draws()
        parameters = (*names[own:others], *names[:own], *names[others:])
        scope = Scope(self.constants, parameters, draws, clock=True)
        condition: Node | None = None
        before: Block = ()
        after: Block = ()
        inner = scope
        if cursor.accept(":"):
            before, scope = self.values(cursor, scope)
            if not cursor.accept("*") and not (before and (cursor.comes("{") or at_arrow(cursor))):
                condition = parse_expression(cursor, scope)
            after, inner = self.values(cursor, replace(scope, draws=successor_draws))
        arrow = cursor.match(_ARROW)
        if not arrow:
            raise cursor.error(f"expected '->' after the predecessor {symbol}, found {cursor.found()}")
        cursor.offset += len(arrow)
        successor = read_modules(cursor, replace(inner, draws=successor_draws), self.table)
        weight = parse_expression(cursor, scope) if cursor.accept(":") else None
        cursor.finish()
        return Production(
            symbol, kind, parameters, left, right, condition, weight, draws.count, successor, successor_draws.count,
            draws.clocks + successor_draws.clocks > 0, *cursor.text.position(start),
            before=before, after=after, asks=draws.asked + successor_draws.asked > 0,
        )  # fmt: skip

    def values(self, cursor: Cursor, scope: Scope) -> tuple[Block, Scope]:
        """Read values with names, such as ``{ a = random(); b = a/2 }``, if they come next; and the scope with them."""
        found: list[Statement] = []
        if not cursor.accept("{"):
            return (), scope
        while not cursor.accept("}"):
            start = cursor.skip_space()
            name = read_name(cursor, "value", self.constants)
            if name in scope.parameters:
                raise cursor.error(f"'{name}' has its value already, and values do not change; use another name", start)
            if len(found) == MAX_PARAMETERS:
                raise cursor.error(f"more than {MAX_PARAMETERS} values", start)
            cursor.expect("=", name)
            found.append(Assignment(len(scope.parameters), parse_expression(cursor, scope)))
            scope = replace(scope, parameters=(*scope.parameters, name))
            if not cursor.accept(";") and not cursor.comes("}"):
                raise cursor.error(f"expected ';' or '}}' behind the value of {name}, found {cursor.found()}")
        return tuple(found), scope

    def strict_predecessor(self, cursor: Cursor, read: Context, start: int) -> int:
        """The kind of the one module that is replaced."""
        if not read:
            raise cursor.error(f"expected a symbol, found {cursor.found()}", start)
        if len(read) > 1:
            raise cursor.error("a production replaces one module; '<' and '>' separate it from its context", start)
        assert isinstance(read[0], int)  # only right contexts have branches
        return read[0]

    def context(self, cursor: Cursor, names: list[str], right: bool = False, nested: int = 0) -> Context:
        """Read modules of a predecessor and add their parameters to ``names``. Only right contexts branch."""
        parts: list[int | Context] = []
        if nested > MAX_BRANCHES:
            raise cursor.error(f"a context nests branches more than {MAX_BRANCHES} deep")
        if not nested and cursor.accept("*"):
            return ()
        while cursor.peek() not in ("", "<", ">", ":", "=") and not at_arrow(cursor):
            start = cursor.offset
            symbol = read_symbol(cursor)
            if symbol == "[" and right:
                parts.append(self.context(cursor, names, right, nested + 1))
                if not cursor.accept("]"):
                    raise cursor.error("this '[' of a context is never closed", start)
            elif symbol == "]" and nested:
                cursor.offset = start
                break
            elif symbol in _UNREPLACEABLE:
                message = "a cut cannot be replaced" if symbol == "%" else _NO_BRACKETS
                raise cursor.error(message if not parts else f"'{symbol}' cannot be part of this context", start)
            else:
                parts.append(self.table.kind(symbol, self.parameter_names(cursor, symbol, names)))
        return tuple(parts)

    def parameter_names(self, cursor: Cursor, symbol: str, names: list[str]) -> int:
        """Read the parameters' names of a module of a predecessor; each has its own. Their number."""
        before = len(names)
        if cursor.accept("(") and not cursor.accept(")"):
            while len(names) == before or cursor.accept(","):
                start = cursor.skip_space()
                name = read_name(cursor, "parameter", self.constants)
                if name in names:
                    raise cursor.error(f"the parameter '{name}' appears twice", start)
                names.append(name)
            if not cursor.accept(")"):
                raise cursor.error(f"expected ',' or ')' in the parameters of {symbol}")
        if len(names) - before > MAX_PARAMETERS:
            raise cursor.error(f"{symbol} has more than {MAX_PARAMETERS} parameters")
        return len(names) - before


def read_name(cursor: Cursor, what: str, constants: Mapping[str, float]) -> str:
    """Read a new name of a constant or a parameter."""
    name = cursor.match(NAME)
    if not name:
        raise cursor.error(f"expected the name of a {what}")
    if is_reserved(name):
        raise cursor.error(f"'{name}' is a function; a {what} needs another name")
    if name in constants:
        raise cursor.error(f"'{name}' is a constant already")
    cursor.offset += len(name)
    return name
