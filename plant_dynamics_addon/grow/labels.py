# SPDX-License-Identifier: GPL-3.0-or-later
"""What sliders of plants are called: the words that the text has for its constants. Without Blender."""

from collections.abc import Callable

#: Words that a description begins with which needs the constant's name before it: 'height', 'of the stem'.
_GOES_ON = frozenset({
    "above", "after", "along", "among", "and", "around", "at", "before", "below", "between", "beyond", "by", "for",
    "from", "in", "of", "on", "per", "that", "to", "under", "which", "with", "within", "without",
})  # fmt: skip


def words_for(name: str, description: str) -> str:
    """The description of a constant, its name before it where the words only go on from it."""
    words = description or name
    if words.split()[0] in _GOES_ON:
        words = f"{name} {words}"
    return words if words == name or words.startswith(f"{name}: ") else words[0].upper() + words[1:]


def with_unit(words: str, unit: str) -> str:
    """The words with the unit behind them."""
    return f"{words} ({unit})" if unit else words


def said(label: str, words_in: Callable[[str], str]) -> str:
    """The same label in another language, of which `words_in` knows the words; units stay."""
    words, bracket, unit = label.rpartition(" (")
    return words_in(words) + bracket + unit if bracket and label.endswith(")") else words_in(label)
