# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant is grown from, and how far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import bpy

from ...lsystem import Grammar, parse


@dataclass(frozen=True)
class Recipe:
    """The same recipe gives the same plant."""

    text: str
    source: str  # the text's name, which errors tell
    steps: float | None = None  # age; between two whole ones the last is partly grown. None: as far as the text says
    seed: int = 0
    constants: Mapping[str, float] = field(default_factory=dict)  # values in place of the text's
    prune_below: float = 1e-4  # m; what is shorter is left out
    pot: bool = False
    detail: str = "AUTO"  # one of `mesh.detail.CHOICES`
    leaf_bones: int = 0  # of leaves of one segment in the text; 0: one if instanced, else by how many leaves there are
    instanced: bool = False  # leaves of one bone, flowers, buds and fruits are instances
    around: bpy.types.Object | bpy.types.Collection | None = None  # of a text that asks for solids

    @property
    def leaves_bend_as(self) -> int:
        """So many bones leaves of one segment get; 0: by how many leaves there are."""
        return self.leaf_bones or int(self.instanced)

    @property
    def grammar(self) -> Grammar:
        """The text as it is read with these constants. Raises LSystemError."""
        return _grammar(self.text, self.source, tuple(self.constants.items()))

    @property
    def title(self) -> str:
        """What its plants are called. Raises LSystemError."""
        return self.grammar.name or self.source


@lru_cache(maxsize=4)
def _grammar(text: str, source: str, constants: tuple[tuple[str, float], ...]) -> Grammar:
    """Read once for the panel's sliders, for growing and for growing again.

    Other constants take another reading, a few milliseconds: the text's expressions are worked out and checked as they
    are read, so that an error has its line.
    """
    return parse(text, source, dict(constants))
