# SPDX-License-Identifier: GPL-3.0-or-later
"""From text to skeleton in one call."""

import math
from collections.abc import Mapping

from .base.errors import LSystemError
from .base.skeleton import Skeleton
from .derivation.derivation import derive, derive_between
from .derivation.limits import Limits
from .environment.solids.solids import Solids
from .language.grammar import Grammar
from .language.parser import parse
from .turtle.turtle import SHORTEST_SEGMENT, interpret, interpret_between


def grow(
    text: str,
    steps: float | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    source: str = "text",
    limits: Limits | None = None,
    solids: Solids | None = None,
) -> Skeleton:
    """Parse, derive and draw an L-system; see `parse`, `derive` and `interpret`.

    ``steps`` is the plant's age in derivation steps. Between whole steps what the step makes is partly grown; a text
    whose interpretation rules know the `age` draws this itself.
    ``solids`` stand around the plant, in metres, in its own space.
    Raises `LSystemError`, also if nothing is drawn.
    """
    grammar = parse(text, source, constants)
    skeleton = draw(grammar, steps, seed, limits, solids=solids)
    if len(skeleton) == 0:
        raise nothing_drawn(grammar, steps)
    return skeleton


def nothing_drawn(grammar: Grammar, steps: float | None) -> LSystemError:
    """The error for a text without segments at this age."""
    message = "the string draws no segment; F and organs such as ~Leaf do"
    if not (grammar.steps or steps) and grammar.productions:
        message += ". Nothing is derived: give it steps, as by a line 'steps: 5'"
    return LSystemError(message, source=grammar.source)


def draw(
    grammar: Grammar,
    steps: float | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    prune_below: float = SHORTEST_SEGMENT,
    solids: Solids | None = None,
) -> Skeleton:
    """Derive a grammar to any age and draw it."""
    if steps is None or not steps % 1.0 or not math.isfinite(steps) or not grammar.grows_between_steps:
        return interpret(derive(grammar, steps, seed, limits=limits, solids=solids), grammar, prune_below)
    return interpret_between(derive_between(grammar, steps, seed, limits, solids), grammar, prune_below)
