# SPDX-License-Identifier: GPL-3.0-or-later
"""From text to skeleton in one call."""

from collections.abc import Mapping

from .derivation import Limits, derive
from .errors import LSystemError
from .parser import parse
from .skeleton import Skeleton
from .turtle import interpret


def grow(
    text: str,
    steps: int | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    source: str = "text",
    limits: Limits | None = None,
) -> Skeleton:
    """Parse, derive and draw an L-system; see `parse`, `derive` and `interpret`.

    Raises `LSystemError`, also if nothing is drawn.
    """
    grammar = parse(text, source, constants)
    skeleton = interpret(derive(grammar, steps, seed, limits=limits), grammar)
    if len(skeleton) == 0:
        raise LSystemError("the string draws no segment; F and organs such as ~Leaf do", source=source)
    return skeleton
