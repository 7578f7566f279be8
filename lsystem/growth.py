# SPDX-License-Identifier: GPL-3.0-or-later
"""From text to skeleton in one call."""

from collections.abc import Mapping

from .derivation import Limits, derive, derive_between
from .errors import LSystemError
from .grammar import Grammar
from .parser import parse
from .skeleton import Skeleton
from .turtle import SHORTEST_SEGMENT, interpret, interpret_between


def grow(
    text: str,
    steps: float | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    source: str = "text",
    limits: Limits | None = None,
) -> Skeleton:
    """Parse, derive and draw an L-system; see `parse`, `derive` and `interpret`.

    ``steps`` is the plant's age in derivation steps. Between whole steps what the step makes is partly grown; a text
    whose interpretation rules know the `age` draws this itself.
    Raises `LSystemError`, also if nothing is drawn.
    """
    grammar = parse(text, source, constants)
    skeleton = draw(grammar, steps, seed, limits)
    if len(skeleton) == 0:
        raise LSystemError("the string draws no segment; F and organs such as ~Leaf do", source=source)
    return skeleton


def draw(
    grammar: Grammar,
    steps: float | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    prune_below: float = SHORTEST_SEGMENT,
) -> Skeleton:
    """Derive a grammar to any age and draw it."""
    if steps is None or steps == int(steps) or grammar.draws_its_own_growth:
        return interpret(derive(grammar, steps, seed, limits=limits), grammar, prune_below)
    return interpret_between(derive_between(grammar, steps, seed, limits), grammar, prune_below)
