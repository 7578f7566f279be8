# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the text of an L-system into a `Grammar`.

One statement a line; a statement goes on in the following lines if these are indented further::

    name: Potted plant            # comments start with # or with // between blanks
    steps: 12
    angle: 22.5
    let r0 = 0.004
    material stem young=2e8 poisson=0.3 density=900 damping=0.02
    axiom: A(1)
    A(n) : n < 8 -> F(0.05, r0) [ &(60) ~Leaf(0.12, 0.05) ] /(137.5) A(n+1)
"""

import math
import re
from collections.abc import Mapping

from .cursor import Cursor, Text
from .errors import LSystemError
from .expressions import Scope, is_reserved, parse_expression
from .grammar import Grammar, Material, Module, Production, Template
from .organs import ORGAN_SYMBOLS, ORGANS
from .statements import open_text, split_statements

MAX_STEPS = 10_000
TURTLE_SIGNS = "+-&^\\/|[]!"

_ARROWS = ("->", "→")
_KEYWORD = re.compile(r"[A-Za-z]{2,}")
_NAME = re.compile(r"[^\W\d]\w*")
_SYMBOL = re.compile(r"[^\W\d_](?:_\w)?")
_MATERIAL_LIMITS = {
    "young": (lambda value: value > 0.0, "must be above 0 Pa"),
    "poisson": (lambda value: -1.0 < value <= 0.5, "must be above -1 and at most 0.5"),
    "density": (lambda value: value > 0.0, "must be above 0 kg/m3"),
    "damping": (lambda value: value >= 0.0, "must not be negative"),
}
_HEADERS = ("name", "description", "steps", "angle", "length", "radius", "axiom")


def parse(text: str, source: str = "text", constants: Mapping[str, float] | None = None) -> Grammar:
    """Read a whole L-system.

    ``constants`` replaces values of the text's ``let`` lines, and of what is computed from them.
    Raises `LSystemError` with line and column at the first thing that cannot be read.
    """
    return _GrammarParser(open_text(text, source), text, constants or {}).grammar()


def parse_modules(text: str, source: str = "text") -> list[Module]:
    """Read a bare module string such as ``F(0.1)[+(30)F(0.05)]``; its parameters are expressions of numbers."""
    opened = open_text(text, source)
    templates = _modules(Cursor(opened, 0, len(opened.content)), Scope({}))
    return [
        Module(t.symbol, tuple(parameter.value or 0.0 for parameter in t.parameters), t.line, t.column)
        for t in templates
    ]


def _found(cursor: Cursor) -> str:
    return f"'{cursor.peek()}'" if cursor.peek() else "the end of the statement"


def _symbol(cursor: Cursor) -> str:
    """Read a module's symbol: a letter (with one subscript, as `F_l`), a turtle sign, or `~` and an organ's name."""
    character = cursor.peek()
    content = cursor.text.content
    if character in TURTLE_SIGNS:
        symbol = character
    elif character == "~":
        name = _NAME.match(content, cursor.offset + 1, cursor.end)
        symbol = "~" + (name.group() if name else "")
        if symbol not in ORGAN_SYMBOLS:
            raise cursor.error(f"unknown organ '{symbol}' (known: {', '.join(ORGAN_SYMBOLS)})")
    else:
        letter = _SYMBOL.match(content, cursor.offset, cursor.end)
        if letter is None:
            raise cursor.error(f"'{character}' is not a symbol of this language")
        symbol = letter.group()
    cursor.offset += len(symbol)
    return symbol


def _modules(cursor: Cursor, scope: Scope) -> tuple[Template, ...]:
    """Read modules up to the end of the statement."""
    templates = []
    while cursor.peek():
        if any(cursor.text.content.startswith(arrow, cursor.offset, cursor.end) for arrow in _ARROWS):
            raise cursor.error("a second arrow in one statement; a new production starts without indentation")
        line, column = cursor.text.position(cursor.offset)
        symbol = _symbol(cursor)
        parameters = []
        if cursor.accept("(") and not cursor.accept(")"):
            parameters.append(parse_expression(cursor, scope))
            while cursor.accept(","):
                parameters.append(parse_expression(cursor, scope))
            if not cursor.accept(")"):
                raise cursor.error(f"expected ',' or ')' in the parameters of {symbol}, found {_found(cursor)}")
        templates.append(Template(symbol, tuple(parameters), line, column))
    return tuple(templates)


class _GrammarParser:
    def __init__(self, text: Text, original: str, overrides: Mapping[str, float]) -> None:
        self.text = text
        self.original = original
        self.overrides = overrides
        self.constants: dict[str, float] = {}
        self.materials: dict[str, Material] = {}
        self.headers: dict[str, Cursor] = {}
        self.production_cursors: list[Cursor] = []

    def grammar(self) -> Grammar:
        for cursor in split_statements(self.text):
            self.statement(cursor)
        unknown = set(self.overrides) - set(self.constants)
        if unknown:
            raise LSystemError(f"no constant is called '{min(unknown)}'", source=self.text.source)
        if "axiom" not in self.headers:
            raise LSystemError("no axiom; write a line such as 'axiom: A'", source=self.text.source)
        return Grammar(
            text=self.original,
            source=self.text.source,
            name=self.words("name"),
            description=self.words("description"),
            steps=self.steps(),
            angle=self.number("angle", 22.5),
            length=self.positive("length", 0.1),
            radius=self.positive("radius", 0.002),
            constants=self.constants,
            materials=self.materials,
            axiom=_modules(self.headers["axiom"], Scope(self.constants, allow_random=True)),
            productions=tuple(self.production(cursor) for cursor in self.production_cursors),
        )

    def statement(self, cursor: Cursor) -> None:
        """Read constants and materials; put headers and productions by until all constants are known."""
        start = cursor.offset
        match = _KEYWORD.match(self.text.content, start, cursor.end)
        if match is None:
            self.production_cursors.append(cursor)
            return
        keyword = match.group()
        cursor.offset = match.end()
        if keyword == "let":
            self.let(cursor)
        elif keyword == "material":
            self.material(cursor)
        elif keyword in _HEADERS:
            if not cursor.accept(":"):
                raise cursor.error(f"expected ':' after '{keyword}'")
            if keyword in self.headers:
                raise cursor.error(f"a second '{keyword}' line", start)
            cursor.skip_space()
            self.headers[keyword] = cursor
        else:
            known = ", ".join([*_HEADERS, "let", "material"])
            raise cursor.error(
                f"unknown statement '{keyword}' (known: {known}; a production has one symbol before its arrow)", start
            )

    def name(self, cursor: Cursor, what: str) -> str:
        cursor.skip_space()
        match = _NAME.match(self.text.content, cursor.offset, cursor.end)
        if match is None:
            raise cursor.error(f"expected the name of a {what}")
        name = match.group()
        if is_reserved(name):
            raise cursor.error(f"'{name}' is a function; a {what} needs another name")
        if name in self.constants:
            raise cursor.error(f"'{name}' is a constant already")
        cursor.offset = match.end()
        return name

    def value(self, cursor: Cursor) -> float:
        value = parse_expression(cursor, Scope(self.constants)).value
        assert value is not None  # without parameters and random numbers every expression folds
        return value

    def finish(self, cursor: Cursor) -> None:
        found = cursor.peek()
        if found:
            raise cursor.error(f"unexpected '{found}'")

    def let(self, cursor: Cursor) -> None:
        name = self.name(cursor, "constant")
        if not cursor.accept("="):
            raise cursor.error(f"expected '=' after '{name}'")
        value = self.value(cursor)
        self.finish(cursor)
        if name in self.overrides:
            value = float(self.overrides[name])
            if not math.isfinite(value):
                raise cursor.error(f"the constant '{name}' is not a finite number")
        self.constants[name] = value

    def material(self, cursor: Cursor) -> None:
        cursor.skip_space()
        start = cursor.offset
        match = _NAME.match(self.text.content, start, cursor.end)
        organ = match.group() if match else ""
        if organ not in ORGANS:
            raise cursor.error(f"expected an organ after 'material': {', '.join(ORGANS)}")
        if organ in self.materials:
            raise cursor.error(f"a second material for '{organ}'")
        cursor.offset += len(organ)
        values: dict[str, float] = {}
        while cursor.peek():
            start = cursor.offset
            match = _NAME.match(self.text.content, start, cursor.end)
            key = match.group() if match else ""
            if key not in _MATERIAL_LIMITS:
                raise cursor.error(f"expected one of {', '.join(_MATERIAL_LIMITS)}")
            if key in values:
                raise cursor.error(f"'{key}' is given twice")
            cursor.offset += len(key)
            if not cursor.accept("="):
                raise cursor.error(f"expected '=' after '{key}'")
            values[key] = self.value(cursor)
            allowed, limit = _MATERIAL_LIMITS[key]
            if not allowed(values[key]):
                raise cursor.error(f"'{key}' {limit}", start)
        self.materials[organ] = Material(**values)

    def words(self, header: str) -> str:
        cursor = self.headers.get(header)
        return cursor.rest() if cursor else ""

    def number(self, header: str, default: float) -> float:
        cursor = self.headers.get(header)
        if cursor is None:
            return default
        value = self.value(cursor)
        self.finish(cursor)
        return value

    def positive(self, header: str, default: float) -> float:
        cursor = self.headers.get(header)
        start = cursor.offset if cursor else 0
        value = self.number(header, default)
        if value <= 0.0:
            raise self.text.error(f"the {header} must be above 0", start)
        return value

    def steps(self) -> int:
        cursor = self.headers.get("steps")
        start = cursor.offset if cursor else 0
        value = self.number("steps", 0.0)
        if value != int(value) or not 0 <= value <= MAX_STEPS:
            raise self.text.error(f"steps must be a whole number from 0 to {MAX_STEPS}", start)
        return int(value)

    def production(self, cursor: Cursor) -> Production:
        cursor.skip_space()
        line, column = self.text.position(cursor.offset)
        symbol = _symbol(cursor)
        if symbol in "[]":
            raise self.text.error("brackets cannot be replaced", cursor.offset - 1)
        parameters: list[str] = []
        if cursor.accept("(") and not cursor.accept(")"):
            parameters.append(self.name(cursor, "parameter"))
            while cursor.accept(","):
                start = cursor.offset
                parameters.append(self.name(cursor, "parameter"))
                if parameters[-1] in parameters[:-1]:
                    raise cursor.error(f"the parameter '{parameters[-1]}' appears twice", start)
            if not cursor.accept(")"):
                raise cursor.error(f"expected ',' or ')' in the parameters of {symbol}")
        scope = Scope(self.constants, tuple(parameters), allow_random=True)
        condition = None
        if cursor.accept(":") and not cursor.accept("*"):
            condition = parse_expression(cursor, scope)
        if not any(cursor.accept(arrow) for arrow in _ARROWS):
            if cursor.peek() in ("<", ">"):
                raise cursor.error("context-sensitive productions are not supported")
            raise cursor.error(f"expected '->' after the predecessor {symbol}, found {_found(cursor)}")
        return Production(symbol, tuple(parameters), condition, _modules(cursor, scope), line, column)
