# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads `.l` files of cpfg into a `Grammar` with a `Program`."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...base.errors import LSystemError
from ...base.module_string import SlotTable
from ...base.whole_numbers import as_int
from ...expressions.closures import Compiler, Surroundings
from ...expressions.nodes import Node, Number
from ...expressions.stacked import Stacked
from ...expressions.state import Array, Block, Sequential, Statement, Store, Variable, parts
from ..beside.bundle import unbundled
from ..constants import check_overrides
from ..grammar import Grammar, Production, Rules
from ..program import Program
from .expressions import ExpressionReader
from .names import EVERYWHERE, Names
from .notes import notes_of
from .over_arrays import derives_over_arrays, draws_over_arrays
from .preprocessor import preprocess
from .production_reader import ProductionReader
from .scanner import Scanner
from .sliders import as_in_panel, beside_age, sliders_of

MOST_STEPS = 10_000
DEEPEST = 10_000
MOST_ELEMENTS = 1_000_000
"""Of all arrays together."""
UNIT = 0.01
"""Metres; cpfg's lengths have no unit, here they are centimetres."""

_START = re.compile(r"^[ \t]*l-?system[ \t]*:", re.MULTILINE | re.IGNORECASE)
_END = re.compile(r"endlsystem", re.IGNORECASE)
_RING = re.compile(r"[Rr]ing [Ll]system\b[^\n]*")
_SYSTEM = re.compile(r"l-?system[ \t]*:", re.IGNORECASE)
_HEADER = re.compile(
    r"([Dd]erivation ?[Ll]ength|[Aa]xiom|[Ii]gnore|[Cc]onsider|[Ss]eed|[Mm]aximum [Dd]epth|[Dd]efine|[Ss]tart ?[Ee]ach"
    r"|[Ee]nd ?[Ee]ach|[Ss]tart|[Ee]nd):"
)
_SECTION = re.compile(
    r"([Dd]ecomposition|[Hh]omomorphism|[Ii]nterpretation|[Pp]roductions?)\b:?[ \t]*(?:no warnings|warnings)?[ \t]*"
    r"(?=\n|\Z)"
)
_LABEL = re.compile(r"[A-Za-z]\w*[0-9]+[ \t]*:(?=[^\n]*-->)")
_FOREIGN = re.compile(r"(group|endgroup|initialization|timed|font|extern)\b", re.IGNORECASE)
_INSTEAD = "; have a variable say which group is on, and ask for it in conditions: ': on == 2 && ... -->'"
_SECTIONS = {"decomposition": "decomposition", "production": "productions"}
_BRACKETS = ("[", "]")


def is_cpfg(text: str) -> bool:
    """Whether a text is a file of cpfg: it has a line `Lsystem: 1`."""
    return _START.search(text) is not None


def parse_cpfg(text: str, source: str, constants: Mapping[str, float]) -> Grammar:
    """Read a file of cpfg with the files that it carries; ``constants`` are in place of the numbers of macros.

    Raises `LSystemError` with line and column at the first thing that cannot be read.
    """
    with np.errstate(all="ignore"):  # every result is looked at where it is made
        return _all_of(_Shared(text, source, constants))


class _Shared:
    """What all L-systems of a file have in common."""

    def __init__(self, text: str, source: str, constants: Mapping[str, float]) -> None:
        self.original = text
        self.source = source
        text, self.beside = unbundled(text, source)
        beside = self.beside
        numbers = {name: str(number) for number, name in enumerate(beside.names, 1)}
        preprocessed = preprocess(text, source, beside.included, numbers, constants)
        self.sliders, self.constants = sliders_of(preprocessed, constants)
        self.sliders = as_in_panel(beside_age(self.sliders, text), beside.panel)
        check_overrides(constants, self.constants, source)
        self.scanner = Scanner(preprocessed.text)
        self.unclosed = preprocessed.unclosed
        self.table = SlotTable(source)


def _all_of(shared: _Shared) -> Grammar:
    """The first L-system of a file, with those that follow it."""
    first = _FileParser(shared)
    first.read()
    others: dict[int, _FileParser] = {}
    scanner = shared.scanner
    while end := scanner.comes(_END):
        scanner.take(end.group())
        scanner.rest()
        # behind all L-systems cpfg does not read
        if not scanner.next_statement() or not (scanner.comes(_SYSTEM) or scanner.comes(_RING)):
            break
        start = scanner.offset
        other = _FileParser(shared)
        other.names.everywhere = first.names.everywhere
        other.read()
        if other.label in (first.label, *others):
            raise scanner.error(f"a second L-system {other.label}", start)
        others[other.label] = other
    if not others and any(symbol == "?" and count for symbol, count in shared.table.kinds):
        message = "a module ?(n) calls the L-system n, and there is no other one in this file"
        raise LSystemError(message, source=shared.source)
    if others and ("%", 1) in shared.table.kinds:
        message = "a file whose cuts are kept, %(n), may have one L-system only; write a bare % for what is lost"
        raise LSystemError(message, source=shared.source)
    grammars = {number: other.grammar(alone=False) for number, other in others.items()}
    return replace(first.grammar(alone=not others), others=grammars)


class _FileParser:
    """Reads one L-system."""

    def __init__(self, shared: _Shared) -> None:
        self.original = shared.original
        self.source = shared.source
        self.beside = shared.beside
        self.sliders, self.constants = shared.sliders, shared.constants
        self.scanner = shared.scanner
        self.unclosed = shared.unclosed
        self.table = shared.table
        self.label = 1
        self.names = Names()
        self.brackets = {self.table.kind(symbol, 0) for symbol in _BRACKETS}
        self.expressions = ExpressionReader(self.scanner, self.names)
        self.reader = ProductionReader(self.scanner, self.names, self.expressions, self.table)
        self.section = "productions"
        self.rules: dict[str, list[Production]] = {"productions": [], "decomposition": [], "interpretation": []}
        self.depths = {"productions": 1, "decomposition": 1, "interpretation": 1}
        self.blocks: dict[str, Block] = {}
        self.stores: list[Statement] = []
        """Elements of arrays that are not known before."""
        self.axiom: Production | None = None
        self.steps = 0
        self.seeds: dict[str, int] = {}
        self.visible: Callable[[str], bool] | None = None
        self.ring = False
        self.systems = 0

    def read(self) -> None:
        """Read up to its end, behind which a comment may stay open."""
        while self.scanner.next_statement() and not self.scanner.comes(_END):
            self.statement()
        if self.unclosed and not self.scanner.comes(_END):
            raise self.unclosed

    def grammar(self, alone: bool) -> Grammar:
        """What has been read; alone: whether no other L-system is in the file."""
        if self.axiom is None:
            raise LSystemError("no axiom; write a line such as 'axiom: A'", source=self.source)
        rules, decomposition, interpretation = (
            Rules(tuple(self.rules[section]), self.depths[section]) for section in self.rules
        )
        strings = [
            [template.symbol for template in production.successor]
            for production in (self.axiom, *(one for section in self.rules.values() for one in section))
        ]
        visible = self.visible
        considered = None if visible is None else frozenset(one for one, _ in self.table.kinds if visible(one))
        view = self.beside.view
        return Grammar(
            text=self.original, source=self.source, name="", description="", group="", steps=self.steps,
            angle=view.angle, length=view.step, radius=0.5 * view.width, taper=1.0, unit=UNIT,
            tropism=(0.0, 0.0, -1.0, 0.0), pipe=None, most_parameters=1, constants=self.constants,
            sliders=self.sliders, materials={}, axiom=self.axiom, rules=rules, decomposition=decomposition,
            interpretation=interpretation, ignored=frozenset(), considered=considered, draws_its_own_growth=False,
            table=self.table, program=self.program(rules, decomposition, interpretation, strings, alone),
            environment=self.beside.environment,
            notes=notes_of(
                strings, self.expressions.silent, self.names.undefined, self.expressions.lone, self.beside
            ),
        )  # fmt: skip

    def program(
        self, rules: Rules, decomposition: Rules, interpretation: Rules, strings: list[list[str]], alone: bool
    ) -> Program:
        assert self.axiom is not None
        blocks = [self.blocks.get(name, ()) for name in ("start", "starteach", "endeach", "end")]
        start, start_each, end_each, end = blocks
        start = (*self.stores, *self.stores, *start)  # cpfg draws the random numbers of arrays twice
        kinds = self.table.kinds
        visible = self.visible
        seen = None if visible is None else frozenset(kinds[one] for one in kinds if visible(one[0]))
        seed = self.seeds.get("productions")
        alone_too = seed is None and not self.ring and (seen is None or self.brackets <= seen)
        steps_alone = not any((start, *blocks)) and alone_too
        return Program(
            length=self.steps,
            registers=self.names.registers,
            arrays=tuple(self.names.shapes),
            start=start,
            start_each=start_each,
            end_each=end_each,
            end=end,
            seed=seed,
            interpretation_seed=self.seeds.get("interpretation"),
            ring=self.ring,
            seen=seen,
            over_arrays=alone and steps_alone and derives_over_arrays(self.axiom, rules, decomposition, self.table),
            draws_over_arrays=alone and draws_over_arrays(interpretation, strings),
            beside=self.beside,
            number=self.label,
            names=dict(self.names.shared),
            array_names=self.names.arrays,
            external=frozenset(self.names.external),
        )

    def statement(self) -> None:
        scanner = self.scanner
        if match := scanner.comes(_RING):
            self.ring = True
            scanner.take(match.group())
        elif match := scanner.comes(_SYSTEM):
            self.system(match)
        elif self.systems == 0:
            raise scanner.error("expected a line such as 'Lsystem: 1' before anything else")
        elif match := scanner.comes(_SECTION):
            word = match.group(1).lower().removesuffix("s")
            self.section = _SECTIONS.get(word, "interpretation")
            scanner.take(match.group())
        elif match := scanner.comes(_HEADER):
            offset = scanner.offset
            scanner.take(match.group())
            self.header("".join(match.group(1).lower().split()), offset)
        elif (match := scanner.comes(_FOREIGN)) and "-->" not in match.string[match.start() :].split("\n", 1)[0]:
            word = match.group(1)
            instead = _INSTEAD if word.lower().endswith("group") else ""
            raise scanner.error(f"'{word}' is not of cpfg, but of its successors, and cannot be read{instead}")
        else:
            self.production()

    def system(self, match: re.Match[str]) -> None:
        self.systems += 1
        if self.systems > 1:
            raise self.scanner.error("a second L-system begins behind 'endlsystem' of the first")
        self.scanner.take(match.group())
        label = self.scanner.rest().strip()
        self.label = int(label) if label.isdecimal() and len(label) < 9 else 1

    def production(self) -> None:
        # `p1: A --> B`, as books number productions, is not cpfg's notation; it is told by the names it would use
        scanner = self.scanner
        label = scanner.comes(_LABEL)
        try:
            self.names.strict = label is not None
            production = self.reader.production()
        except LSystemError:
            if label is None:
                raise
            scanner.offset, scanner.braces = label.end(), 0
            self.expressions.nesting = 0
            self.names.strict = False
            production = self.reader.production()
        self.rules[self.section].append(production)

    def header(self, word: str, offset: int) -> None:
        scanner = self.scanner
        self.names.end_production()
        if word == "axiom":
            line, column = scanner.text.position(offset)
            modules = self.reader.modules()
            self.axiom = Production("", -1, (), (), (), None, None, 0, modules, 0, False, line, column)
        elif word in ("ignore", "consider"):
            if any(self.rules.values()):
                message = f"'{word}' stands in front of the productions and holds for all of them, as with cpfg"
                raise scanner.error(f"{message}; of groups with their own it knows nothing", offset)
            listed = frozenset(scanner.rest()) - frozenset(" \t\n<>:*")
            self.visible = listed.__contains__ if word == "consider" else lambda symbol: symbol not in listed
        elif word == "define":
            self.define()
        elif word in ("start", "starteach", "endeach", "end"):
            self.blocks[word] = self.expressions.block()
        else:
            self.whole(word, offset)
        self.reader.finish()

    def whole(self, word: str, offset: int) -> None:
        """Read a header with one whole number."""
        value = as_int(self.number(word))
        if word == "derivationlength":
            if not 0 <= value <= MOST_STEPS:
                raise self.scanner.error(f"the derivation length must be from 0 to {MOST_STEPS}", offset)
            self.steps = value
            self.names.everywhere = EVERYWHERE
        elif word == "seed":
            self.seeds[self.section] = value
        elif self.section == "productions":
            raise self.scanner.error("a maximum depth outside of decomposition and homomorphism", offset)
        else:
            if not 0 <= value <= DEEPEST:
                raise self.scanner.error(f"a maximum depth must be from 0 to {DEEPEST}", offset)
            self.depths[self.section] = value

    def number(self, word: str) -> float:
        start = self.scanner.skip_blanks()
        node: Node = self.expressions.expression()
        if node.value is not None:
            return node.value
        unknown = [part for part in parts(node) if isinstance(part, Sequential) and not isinstance(part, Stacked)]
        if not all(isinstance(part, Variable) and part.register in self.names.unset for part in unknown):
            raise self.scanner.error(f"the {word} must be known before the first step", start)
        # what nobody has defined is 0
        return float(Compiler(Surroundings()).expression(node)([0.0] * self.names.registers))

    def define(self) -> None:
        """Read a block of arrays, and of names that are the caller's."""
        scanner = self.scanner
        scanner.expect("{")
        scanner.braces += 1
        while (word := scanner.token()[1]) in ("array", "external"):
            scanner.take(word)
            self.array(word == "external")
            while scanner.accept(","):
                self.array(word == "external")
            scanner.expect(";", " at the end of a statement")
        if scanner.token()[1] != "}":
            raise scanner.error(f"expected '}}', 'array' or 'external' in the block 'Define:', found {scanner.found()}")
        scanner.braces -= 1
        scanner.take("}")

    def array(self, is_external: bool) -> None:
        scanner = self.scanner
        start = scanner.skip_blanks()
        kind, name = scanner.token()
        if kind != "name" or self.names.find(name) or name in self.names.arrays:
            raise scanner.error(f"expected a new name of an array, found {scanner.found()}", start)
        scanner.take(name)
        if is_external:
            self.names.external.add(name)
            if scanner.token()[1] != "[":
                self.names.assigned(name)
                return
        sizes: list[int] = []
        total = 1
        while scanner.accept("["):
            sizes.append(as_int(self.number("size of an array")))
            total *= sizes[-1]
            scanner.expect("]")
            if sizes[-1] < 1 or total + sum(len(one.values) for one in self.names.shapes) > MOST_ELEMENTS:
                raise scanner.error(f"arrays must have 1 to {MOST_ELEMENTS} elements in all", start)
        if not sizes:
            raise scanner.error(f"the array '{name}' needs its size, as in {name}[3]", start)
        elements: list[Node] = []
        if scanner.accept("="):
            scanner.expect("{")
            elements = self.expressions.list_of_expressions()
            scanner.expect("}")
        if is_external:  # where a caller has none it begins with nothing, as with cpfg
            elements = []
        values = [0.0] * total
        number = len(self.names.shapes)
        for place, element in enumerate(elements[:total]):
            if element.value is not None:
                values[place] = element.value
            else:  # as random numbers are, it is found before the first block
                self.stores.append(Store(number, _indices_of(place, sizes), element))
        self.names.add_array(name, Array(tuple(sizes), tuple(values)))


def _indices_of(place: int, sizes: Sequence[int]) -> tuple[Node, ...]:
    """The indices of an element of an array, by its place in the row of all."""
    indices: list[Node] = []
    for size in reversed(sizes):
        place, index = divmod(place, size)
        indices.append(Number(float(index)))
    return tuple(reversed(indices))
