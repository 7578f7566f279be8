# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the text of an L-system into a `Grammar`.

One statement a line; a statement goes on in the following lines if these are indented further::

    name: Potted plant            # comments start with # or with // between blanks
    steps: 12
    angle: 22.5
    let r0 = 0.004                # [0.001..0.01 m] radius at the ground
    material stem young=2e8 poisson=0.3 density=900 damping=0.02
    axiom: A(1)
    A(n) : n < 8 -> F(0.05, r0) [ &(60) ~Leaf(0.12, 0.05) ] /(137.5) A(n+1)
"""

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..base.cursor import NAME, Cursor, Text
from ..base.errors import LSystemError
from ..base.module_string import ModuleString, SlotTable
from ..base.organs import BLADE, ORGANS
from ..base.settings import MATERIAL_KEYS, Setting
from ..environment.kinds import Environment
from ..environment.named import ENVIRONMENTS
from ..environment.solids.forms import FORMS
from ..environment.solids.solids import Solid
from ..expressions.parser import Draws, Scope
from .beside.bundle import said_of_plant
from .constants import ConstantReader, check_overrides
from .cpfg.file_parser import is_cpfg, parse_cpfg
from .foreign import why_not_read
from .grammar import Grammar, Production, Rules
from .production_parser import ProductionParser, read_modules, read_symbol
from .statements import open_text, split_statements

MAX_STEPS = 10_000
MAX_DEPTH = 100
MOST_SOLIDS = 100

_KEYWORD = re.compile(r"[A-Za-z]{2,}")
_SECTIONS = ("productions", "decomposition", "interpretation")
_HEADERS = (
    "name", "description", "group", "steps", "angle", "length", "radius", "taper", "unit", "tropism", "pipe", "ignore",
    "consider", "axiom", "parameters", "environment", "widths", "breeze", *_SECTIONS,
)  # fmt: skip
_OF_PLANTS = ("name", "description", "group", "steps", "unit", "pipe", "material", "environment", "solid",
              "widths", "breeze")  # fmt: skip
"""What can be said of a plant that is a file of cpfg."""
_KNOWN = f"known: {', '.join(ENVIRONMENTS)}"
_KEYWORDS = (*_HEADERS, "let", "material", "solid")


def parse(text: str, source: str = "text", constants: Mapping[str, float] | None = None) -> Grammar:
    """Read a whole L-system; a text in the format of cpfg (`Lsystem: 1`) too.

    ``constants`` replaces values of the text's ``let`` lines, of macros in a file of cpfg, and of what is computed from
    them. A file of cpfg may carry the files that lie beside it, as `open_object` writes them.
    Raises `LSystemError` with line and column at the first thing that cannot be read.
    """
    if is_cpfg(text):
        grammar = parse_cpfg(text, source, constants or {})
        said = said_of_plant(text)
        return _GrammarParser(open_text(said, source), text, {}).added_to(grammar) if said else grammar
    try:
        return _GrammarParser(open_text(text, source), text, constants or {}).grammar()
    except LSystemError as error:
        if why := why_not_read(text, source):
            raise LSystemError(f"{error.message}. {why}", error.line, error.column, error.source) from None
        raise


def parse_modules(text: str, source: str = "text") -> ModuleString:
    """Read a bare module string such as ``F(0.1)[+(30)F(0.05)]``; its parameters are expressions of numbers."""
    opened = open_text(text, source)
    table = SlotTable(source)
    cursor = Cursor(opened, 0, len(opened.content))
    templates = read_modules(cursor, Scope({}), table)
    if cursor.peek():
        raise cursor.error(f"'{cursor.peek()}' is not a symbol of this language")
    values = [parameter.value for template in templates for parameter in template.parameters]
    slots = np.arange(len(templates), dtype=np.int32)
    return ModuleString(table, slots, np.array(values, dtype=np.float64), np.zeros_like(slots))


class _GrammarParser:
    def __init__(self, text: Text, original: str, overrides: Mapping[str, float]) -> None:
        self.text = text
        self.original = original
        self.constants = ConstantReader(overrides)
        self.materials: dict[str, dict[str, float]] = {}
        self.made: tuple[str, ...] = ORGANS  # what has a material
        self.solids: list[Solid] = []
        self.headers: dict[str, Cursor] = {}
        self.section = "productions"
        self.productions: dict[str, list[Cursor]] = {name: [] for name in _SECTIONS}
        self.table = SlotTable(text.source)

    def grammar(self) -> Grammar:
        for cursor in split_statements(self.text):
            self.statement(cursor)
        check_overrides(self.constants.overrides, self.constants.values, self.text.source)
        if "axiom" not in self.headers:
            raise LSystemError("no axiom; write a line such as 'axiom: A'", source=self.text.source)
        if "widths" in self.headers:
            raise self.headers["widths"].error("'widths' is for files of cpfg; change radii, or 'unit'")
        axiom = self.axiom()
        rules, decomposition, interpretation = map(self.rules, _SECTIONS)
        grammar = Grammar(
            text=self.original,
            source=self.text.source,
            name=self.words("name"),
            description=self.words("description"),
            group=self.words("group"),
            steps=self.whole("steps", 0, MAX_STEPS),
            angle=self.number("angle", 22.5),
            length=self.positive("length", 0.1),
            radius=self.positive("radius", 0.002),
            taper=self.positive("taper", 0.7),
            unit=self.positive("unit", 1.0),
            tropism=self.tropism(),
            pipe=self.positive("pipe", 0.0) or None,
            most_parameters=self.whole("parameters", 1, 2) if "parameters" in self.headers else None,
            constants=self.constants.values,
            sliders=tuple(self.constants.sliders),
            materials=self.materials,
            axiom=axiom,
            rules=rules,
            decomposition=decomposition,
            interpretation=interpretation,
            ignored=self.symbols("ignore") or frozenset(),
            considered=self.symbols("consider"),
            draws_its_own_growth=any(rule.knows_age for rule in interpretation.productions),
            table=self.table,
            environment=self.environment(),
            solids=tuple(self.solids),
            breeze=self.positive("breeze", 0.0) or None,
        )
        if grammar.environment is None and any(symbol == "?E" for symbol, _ in self.table.kinds):
            message = f"?E asks an environment; choose one, as by a line 'environment: light cell=0.1' ({_KNOWN})"
            raise LSystemError(message, source=self.text.source)
        if grammar.ignored and grammar.considered is not None:
            raise self.headers["consider"].error("'ignore' and 'consider' exclude each other")
        return grammar

    def added_to(self, grammar: Grammar) -> Grammar:
        """A file of cpfg with what is said besides: statements of a few kinds."""
        self.constants.values.update(grammar.constants)
        self.made = (*ORGANS, BLADE)
        for cursor in split_statements(self.text):
            if cursor.match(_KEYWORD) not in _OF_PLANTS:
                raise cursor.error(f"only {', '.join(_OF_PLANTS)} can be added to a file of cpfg")
            self.statement(cursor)
        return replace(
            grammar,
            name=self.words("name"),
            description=self.words("description"),
            group=self.words("group"),
            steps=max(self.whole("steps", 0, MAX_STEPS), grammar.steps),
            unit=self.positive("unit", grammar.unit),
            widths=self.positive("widths", 1.0),
            pipe=self.positive("pipe", 0.0) or None,
            materials=self.materials,
            environment=self.environment() or grammar.environment,
            solids=tuple(self.solids),
            breeze=self.positive("breeze", 0.0) or None,
        )

    def statement(self, cursor: Cursor) -> None:
        """Read constants and materials; put headers and productions by until all constants are known."""
        start = cursor.offset
        keyword = cursor.match(_KEYWORD)
        if not keyword or (keyword not in _KEYWORDS and _has_left_context(self.text.content[start : cursor.end])):
            self.productions[self.section].append(cursor)
            return
        cursor.offset += len(keyword)
        if keyword == "let":
            self.constants.read(cursor)
        elif keyword == "material":
            self.material(cursor)
        elif keyword == "solid":
            self.solid(cursor)
        elif keyword in _HEADERS:
            cursor.expect(":", keyword)
            if keyword in self.headers:
                raise cursor.error(f"a second '{keyword}' line", start)
            cursor.skip_space()
            self.headers[keyword] = cursor
            if keyword in _SECTIONS:
                self.section = keyword
        else:
            known = f"known: {', '.join(_KEYWORDS)}; a production has one symbol before its arrow"
            raise cursor.error(f"unknown statement '{keyword}' ({known})", start)

    def axiom(self) -> Production:
        cursor = self.headers["axiom"]
        draws = Draws()
        line, column = self.text.position(cursor.offset)
        modules = read_modules(cursor, Scope(self.constants.values, draws=draws), self.table)
        cursor.finish()
        return Production(
            "", -1, (), (), (), None, None, 0, modules, draws.count, False, line, column, asks=draws.asked > 0
        )

    def rules(self, section: str) -> Rules:
        parser = ProductionParser(self.constants.values, self.table)
        productions = tuple(parser.read(cursor, section == "productions") for cursor in self.productions[section])
        header = self.headers.get(section)
        if header and section == "productions":
            header.finish()
        return Rules(productions, self.whole(section, 1, MAX_DEPTH) if header and header.peek() else 1)

    def material(self, cursor: Cursor) -> None:
        organ = cursor.match(NAME)
        if organ not in self.made:
            raise cursor.error(f"expected an organ after 'material': {', '.join(self.made)}")
        if organ in self.materials:
            raise cursor.error(f"a second material for '{organ}'")
        cursor.offset += len(organ)
        self.materials[organ] = self.settings(cursor, MATERIAL_KEYS)

    def solid(self, cursor: Cursor) -> None:
        name = cursor.match(NAME)
        if name not in FORMS:
            raise cursor.error(f"expected the form of a solid: {', '.join(FORMS)}")
        if len(self.solids) == MOST_SOLIDS:
            raise cursor.error(f"more than {MOST_SOLIDS} solids")
        cursor.offset += len(name)
        form = FORMS[name]
        values = self.settings(cursor, form.numbers)
        for needed in form.needed:
            if needed not in values:
                raise cursor.error(f"a {name} needs its {needed}, as in {needed}=0.1")
        self.solids.append(form.solid(name, values))

    def environment(self) -> Environment | None:
        cursor = self.headers.get("environment")
        if cursor is None:
            return None
        name = cursor.match(NAME)
        if name not in ENVIRONMENTS:
            raise cursor.error(f"unknown environment '{name}' ({_KNOWN})")
        cursor.offset += len(name)
        kind = ENVIRONMENTS[name]
        values = self.settings(cursor, kind.numbers)
        needed = next(iter(kind.numbers), None)
        if needed is not None and needed not in values:
            raise cursor.error(f"'{name}' needs its {needed}, as in {needed}=0.1")
        return kind.made(**values)

    def settings(self, cursor: Cursor, known: Mapping[str, Setting]) -> dict[str, float]:
        """Read values by name, such as ``density=900``."""
        values: dict[str, float] = {}
        while cursor.peek():
            start = cursor.offset
            key = cursor.match(NAME)
            if key not in known:
                raise cursor.error(f"expected one of {', '.join(known)}")
            if key in values:
                raise cursor.error(f"'{key}' is given twice")
            cursor.offset += len(key)
            cursor.expect("=", key)
            names, name = known[key].names, cursor.match(NAME)
            if name in names:
                cursor.offset += len(name)
                values[key] = float(names.index(name))
            else:
                values[key] = self.constants.evaluate(cursor)
            if not known[key].allowed(values[key]):
                raise cursor.error(f"'{key}' {known[key].limit}", start)
        return values

    def words(self, header: str) -> str:
        return self.headers[header].rest() if header in self.headers else ""

    def numbers(self, header: str, count: int) -> tuple[float, ...]:
        cursor = self.headers[header]
        values = [self.constants.evaluate(cursor)]
        while len(values) < count:
            if not cursor.accept(","):
                raise cursor.error(f"'{header}' takes {count} numbers, separated by commas")
            values.append(self.constants.evaluate(cursor))
        cursor.finish()
        return tuple(values)

    def number(self, header: str, default: float) -> float:
        return self.numbers(header, 1)[0] if header in self.headers else default

    def positive(self, header: str, default: float) -> float:
        if header not in self.headers:
            return default
        start = self.headers[header].offset
        value = self.number(header, default)
        if value <= 0.0:
            raise self.text.error(f"the {header} must be above 0", start)
        return value

    def whole(self, header: str, least: int, most: int) -> int:
        cursor = self.headers.get(header)
        start = cursor.offset if cursor else 0
        value = self.number(header, float(least))
        if value != int(value) or not least <= value <= most:
            raise self.text.error(f"{header} must be a whole number from {least} to {most}", start)
        return int(value)

    def tropism(self) -> tuple[float, float, float, float]:
        if "tropism" not in self.headers:
            return 0.0, 0.0, -1.0, 0.0
        start = self.headers["tropism"].offset
        x, y, z, elasticity = self.numbers("tropism", 4)
        if max(abs(x), abs(y), abs(z), abs(elasticity)) > 10.0:
            raise self.text.error("the numbers of a tropism must be from -10 to 10", start)
        return x, y, z, elasticity

    def symbols(self, header: str) -> frozenset[str] | None:
        cursor = self.headers.get(header)
        if cursor is None:
            return None
        found = set()
        while cursor.peek():
            if cursor.peek() in "[]%":
                raise cursor.error("contexts always see brackets and cuts")
            found.add(read_symbol(cursor))
        return frozenset(found)


def _has_left_context(statement: str) -> bool:
    return "<" in re.split(r"->|→|:", statement, maxsplit=1)[0]
