# SPDX-License-Identifier: GPL-3.0-or-later
"""What a parsed text is: modules, productions, materials, the grammar."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .expressions import Expression


class Module(NamedTuple):
    """A letter with its parameters, and the place in the text that wrote it."""

    symbol: str
    params: tuple[float, ...] = ()
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.symbol}({', '.join(map(number_text, self.params))})" if self.params else self.symbol


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def modules_text(modules: Iterable[Module]) -> str:
    """The string as text that `parse_modules` reads back as the same modules."""
    words: list[str] = []
    last = ""
    for module in modules:
        # a name would run on into the next letter, and two bare slashes could start a comment
        if (last.startswith("~") and not last.endswith(")")) or last == module.symbol == "/":
            words.append(" ")
        last = str(module)
        words.append(last)
    return "".join(words)


@dataclass(frozen=True)
class Template:
    """A module of an axiom or of a successor: a symbol whose parameters are still expressions."""

    symbol: str
    parameters: tuple[Expression, ...]
    line: int
    column: int

    @property
    def is_random(self) -> bool:
        """Whether a parameter draws random numbers."""
        return any(parameter.is_random for parameter in self.parameters)


@dataclass(frozen=True)
class Production:
    """``symbol(parameters) : condition -> successor``; a condition of None always holds."""

    symbol: str
    parameters: tuple[str, ...]
    condition: Expression | None
    successor: tuple[Template, ...]
    line: int
    column: int

    @property
    def is_random(self) -> bool:
        """Whether the condition or the successor draws random numbers."""
        drawn = self.condition is not None and self.condition.is_random
        return drawn or any(template.is_random for template in self.successor)


@dataclass(frozen=True)
class Material:
    """Elastic properties of one organ; None where the text says nothing."""

    young: float | None = None
    """Young's modulus, Pa."""
    poisson: float | None = None
    density: float | None = None
    """kg/m3."""
    damping: float | None = None
    """Stiffness-proportional damping time, s."""


@dataclass(frozen=True)
class Grammar:
    """A parsed L-system: G = (alphabet, constants, axiom, productions), and what the turtle needs to know."""

    text: str
    source: str
    name: str
    description: str
    steps: int
    """Derivation length that the text asks for."""
    angle: float
    """Degrees, for turns without a parameter."""
    length: float
    """Metres, for `F` and `f` without a parameter."""
    radius: float
    """Metres, until a `!` or a second parameter of `F` says otherwise."""
    constants: Mapping[str, float]
    materials: Mapping[str, Material]
    axiom: tuple[Template, ...]
    productions: tuple[Production, ...]
