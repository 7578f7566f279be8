# SPDX-License-Identifier: GPL-3.0-or-later
"""Macros that stand for numbers, as constants with sliders. A comment behind one says what a slider needs."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...base.cursor import Text
from ...base.errors import LSystemError
from ..beside.kinds import Slider
from ..constants import described
from ..grammar import Constant
from .expressions import ExpressionReader
from .names import Names
from .preprocessor import Definition, Preprocessed
from .scanner import Scanner

_WORDS = re.compile(r"(?:/\*|//)\s*(.*?)\s*(?:\*/)?\s*$")
# an expression; one that begins with a sign could also be a turn, unless it is just a number
_NUMBERS = re.compile(r"[\w.(][-+*/^()%,.\w \t]*|[-+][0-9.]+")
_LENGTH = re.compile(r"derivation\s+length\s*:\s*([A-Za-z_]\w*)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")


def sliders_of(
    preprocessed: Preprocessed, overrides: Mapping[str, float]
) -> tuple[tuple[Constant, ...], dict[str, float]]:
    """The constants of a file, as it has them, and their values now."""
    sliders: list[Constant] = []
    values: dict[str, float] = {}
    for definition in preprocessed.definitions:
        value = _number(definition.body, preprocessed) if _NUMBERS.fullmatch(definition.body) else None
        if value is None:
            continue
        values[definition.name] = float(overrides.get(definition.name, value))
        comment = _WORDS.search(definition.line)
        computed = any(name in values for name in _NAME.findall(definition.body))
        sliders.append(_slider(definition, value, comment.group(1) if comment else "", computed))
    return tuple(sliders), values


def beside_age(sliders: Sequence[Constant], text: str) -> tuple[Constant, ...]:
    """The sliders without the one that is nothing but the derivation length, which is the age that is asked for anyhow,
    unless its range is said."""
    lengths = set(_LENGTH.findall(text))
    return tuple(
        one
        for one in sliders
        if one.name not in lengths or one.minimum is not None or len(re.findall(rf"\b{one.name}\b", text)) > 2
    )


def as_in_panel(constants: Sequence[Constant], sliders: Mapping[str, Slider]) -> tuple[Constant, ...]:
    """Constants with the words of a panel, and its ranges where the file itself says none."""
    return tuple(_named(one, sliders[one.name]) if one.name in sliders else one for one in constants)


def _named(constant: Constant, slider: Slider) -> Constant:
    named = replace(constant, description=slider.words or constant.description)
    if constant.minimum is not None or constant.is_computed:
        return named
    lowest, highest = min(slider.minimum, constant.value), max(slider.maximum, constant.value)
    return replace(named, minimum=lowest, maximum=highest)


def _slider(definition: Definition, value: float, words: str, computed: bool) -> Constant:
    try:
        found = described(definition.name, value, words, computed)
    except ValueError:  # brackets that are no range are words like others
        found = Constant(definition.name, value, None, None, "", words, False, computed)
    # comments of such files often say what values mean, and not what has them
    return replace(found, description=f"{found.name}: {found.description}") if found.description else found


def _number(body: str, preprocessed: Preprocessed) -> float | None:
    """What the body of a macro comes to, None if that is no number."""
    try:
        text = Text(preprocessed.expander.expanded(body, lambda: None), "")
        scanner = Scanner(text)
        value = ExpressionReader(scanner, Names(strict=True)).expression().value
    except (LSystemError, ValueError):
        return None
    return value if value is not None and math.isfinite(value) and not scanner.symbol() else None
