# SPDX-License-Identifier: GPL-3.0-or-later
"""What a parsed text is: productions, constants, materials, the grammar."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Union

from ..base.module_string import SlotTable
from ..environment.kinds import Environment
from ..environment.light import Light
from ..environment.solids.solids import Solid
from ..expressions.nodes import Node
from ..expressions.state import Block
from .beside.kinds import Colour
from .program import Program

Context = tuple[Union[int, "Context"], ...]
"""Kinds of modules one behind the other; a tuple among them is a branch. In a text with a `Program` brackets are kinds
like others."""


@dataclass(frozen=True)
class Template:
    """A module of an axiom or of a successor: a symbol whose parameters are still expressions."""

    symbol: str
    parameters: tuple[Node, ...]
    slot: int


@dataclass(frozen=True)
class Production:
    """``left < symbol(parameters) > right : condition -> successor : weight``; no condition always holds."""

    symbol: str
    kind: int
    parameters: tuple[str, ...]
    """Names of the parameters of the module itself, then of those of its left and its right context."""
    left: Context
    right: Context
    condition: Node | None
    weight: Node | None
    condition_draws: int
    """Random numbers that condition and weight take."""
    successor: tuple[Template, ...]
    successor_draws: int
    knows_age: bool
    """Whether its expressions use `age` or `time`."""
    line: int
    column: int
    strict: tuple[int, ...] = ()
    """Kinds of the modules that are replaced together, if these may be several."""
    base: int = 0
    """Register of the first parameter."""
    before: Block = ()
    """Statements that run whenever the production is tried and its contexts match. In a text of our own language they
    give values to columns behind those of the parameters; those of ``after`` go on from there."""
    after: Block = ()
    """Statements that run when it is applied."""
    asks: bool = False
    """Whether its expressions ask for solids."""


@dataclass(frozen=True)
class Rules:
    """Productions that are used together, in the order of the text."""

    productions: tuple[Production, ...] = ()
    depth: int = 1
    """How often decomposition and interpretation rules replace what they made themselves."""


@dataclass(frozen=True)
class Constant:
    """A ``let`` line. What a panel needs to show it as a slider."""

    name: str
    value: float
    """As the text has it, whatever replaces it now."""
    minimum: float | None
    maximum: float | None
    unit: str
    description: str
    is_whole: bool
    """The range and the value are whole numbers, without a unit: a count."""
    is_computed: bool
    """The value is computed from other constants."""


@dataclass(frozen=True)
class Grammar:
    """A parsed L-system: G = (alphabet, constants, axiom, productions), and what the turtle needs to know."""

    text: str
    source: str
    name: str
    description: str
    group: str
    """Under which menus list it."""
    steps: int
    """Derivation length that the text asks for."""
    angle: float
    """Degrees, for turns without a parameter."""
    length: float
    """In units, for `F` and `f` without a parameter."""
    radius: float
    """In units, until a `!` or a second parameter of `F` says otherwise."""
    taper: float
    """What `!` without a parameter multiplies the radius by."""
    unit: float
    """Metres that a length or a radius of 1 stands for."""
    tropism: tuple[float, float, float, float]
    """Direction T and elasticity e: each segment turns the next by e |H x T| radians towards T."""
    pipe: float | None
    """Exponent of the pipe model of radii, None without it."""
    most_parameters: int | None
    """Of modules that draw a stem, move, turn or set the width the turtle reads so many parameters and leaves out the
    others. None: others are errors."""
    constants: Mapping[str, float]
    sliders: tuple[Constant, ...]
    materials: Mapping[str, Mapping[str, float]]
    """By organ, what its `material` line gives."""
    axiom: Production
    """As a production of nothing."""
    rules: Rules
    decomposition: Rules
    interpretation: Rules
    ignored: frozenset[str]
    """Symbols that contexts do not see."""
    considered: frozenset[str] | None
    """The only symbols that contexts see, if the text says so."""
    draws_its_own_growth: bool
    """Interpretation rules know the age, so a fractional age is theirs to draw."""
    table: SlotTable
    program: Program | None = None
    """What the text says besides, if it is a file of cpfg."""
    environment: Environment | None = None
    """What answers `?E`."""
    others: Mapping[int, "Grammar"] = field(default_factory=dict)
    """L-systems of a file of cpfg that its modules call, `?(2)`, by their numbers."""
    solids: tuple[Solid, ...] = ()
    """The text's own, in units, where none of a scene are given."""
    widths: float = 1.0
    """Lines of a file of cpfg are so many times as wide as it says."""
    breeze: float | None = None
    """Speed (m/s) of a wind that moves the plant well, where the text says it."""
    notes: tuple[str, ...] = ()
    """On what of the text is read and then left out, or done otherwise."""

    @cached_property
    def asks(self) -> bool:
        """Whether modules ask where they are."""
        return self.keeps_cuts or any(
            symbol[0] == "?" and not (symbol == "?" and count) for symbol, count in self.table.kinds
        )

    @cached_property
    def keeps_cuts(self) -> bool:
        """Whether parts that are cut go on elsewhere in the string, `%(n)`; only in a file of cpfg."""
        return self.program is not None and any(symbol == "%" and count for symbol, count in self.table.kinds)

    @cached_property
    def asks_for_solids(self) -> bool:
        """Whether it cannot be derived without solids."""
        every = (self.axiom, *(rule for rules in (self.rules, self.decomposition, self.interpretation)
                               for rule in rules.productions))  # fmt: skip
        return any(rule.asks for rule in every) or (self.environment is not None and self.environment.needs_solids)

    @property
    def grows_between_steps(self) -> bool:
        """Whether what a step makes is drawn little by little, where an age is not whole."""
        return not (self.draws_its_own_growth or self.keeps_cuts)

    @property
    def sees_solids(self) -> bool:
        """Whether solids make any difference to it."""
        return self.asks_for_solids or isinstance(self.environment, Light)

    @property
    def colours(self) -> Mapping[int, Colour]:
        """What the numbers of colours stand for, where the text says it."""
        return {} if self.program is None else self.program.beside.all_colours()

    @property
    def productions(self) -> tuple[Production, ...]:
        """The productions of the derivation."""
        return self.rules.productions
