# SPDX-License-Identifier: GPL-3.0-or-later
"""The L-systems that come with the package."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .language.grammar import Constant
from .language.parser import parse

_FOLDER = Path(__file__).parent / "presets"


@dataclass(frozen=True)
class Preset:
    """A shipped L-system: ``name`` is its file's, ``title`` and ``description`` are what the text says of itself."""

    name: str
    title: str
    description: str
    group: str
    """What kind of plant it is, as menus sort it."""
    path: Path
    text: str
    steps: int
    """Derivation length that its text asks for."""
    sliders: tuple[Constant, ...]
    """Its constants, with the ranges that its text gives."""


@cache
def presets() -> tuple[Preset, ...]:
    """All shipped L-systems, by name."""
    found = []
    for path in sorted(_FOLDER.glob("*.lsys")):
        text = path.read_text(encoding="utf-8")
        grammar = parse(text, path.name)
        headers = (grammar.name, grammar.description, grammar.group)
        found.append(Preset(path.stem, *headers, path, text, grammar.steps, grammar.sliders))
    return tuple(found)
