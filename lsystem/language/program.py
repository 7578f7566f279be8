# SPDX-License-Identifier: GPL-3.0-or-later
"""What a text may say besides productions: variables, statements around the steps, streams of random numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..expressions.state import Array, Block
from .beside.kinds import Beside

SKIP_BRANCH = -1
"""In a right context, where one would expect a kind: what is left of the branch is passed over."""


@dataclass(frozen=True)
class Program:
    """A text whose modules may have to be replaced one by one, from left to right, as cpfg does.

    Parameters are kept in single precision, as there.
    """

    length: int
    """Derivation length that the file gives."""
    registers: int
    """How many variables there are, the parameters of all productions among them. The first two are the number of the
    step and that of all steps."""
    arrays: tuple[Array, ...]
    start: Block
    """Statements that run before the axiom is made."""
    start_each: Block
    end_each: Block
    end: Block
    """Statements that run after the last step."""
    seed: int | None
    """Of the choice among productions by their weights; without it the first that fits is taken."""
    interpretation_seed: int | None
    """Interpretation rules draw random numbers from a stream of their own with this seed; None: from that of all."""
    ring: bool
    """The string's end is followed by its beginning."""
    seen: frozenset[int] | None
    """Kinds that contexts see; brackets among them. None: all."""
    over_arrays: bool
    """Whether it is all the same to replace the modules of the derivation all at once."""
    draws_over_arrays: bool
    """The same of the interpretation rules."""
    beside: Beside
    """What lies beside the file."""
    number: int = 1
    """By which others call it."""
    names: Mapping[str, int] = field(default_factory=dict)
    """Registers of the variables that all productions share, by their names."""
    array_names: Mapping[str, int] = field(default_factory=dict)
    external: frozenset[str] = frozenset()
    """Variables and arrays that are the caller's, where it has some of the same name."""
