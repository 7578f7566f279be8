# SPDX-License-Identifier: GPL-3.0-or-later
"""The L-systems that come with the package."""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from .language.grammar import Constant, Grammar
from .language.parser import parse

_FOLDER = Path(__file__).parent / "presets"
_HEADER = re.compile(r"^(name|description|group): *(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Preset:
    """A shipped L-system: ``name`` is its file's, ``title`` and ``description`` are what the text says of itself.

    All else that it says is parsed when it is first asked for: menus show all titles as soon as Blender has started.
    """

    name: str
    title: str
    description: str
    group: str
    """What kind of plant it is, as menus sort it."""
    path: Path
    text: str

    @property
    def steps(self) -> int:
        """Derivation length that its text asks for."""
        return self._grammar.steps

    @property
    def sliders(self) -> tuple[Constant, ...]:
        """Its constants, with the ranges that its text gives."""
        return self._grammar.sliders

    @cached_property
    def _grammar(self) -> Grammar:
        return parse(self.text, self.path.name)


@cache
def presets() -> tuple[Preset, ...]:
    """All shipped L-systems, by name."""
    found = []
    for path in sorted(_FOLDER.glob("*.lsys")):
        text = path.read_text(encoding="utf-8")
        said = dict(_HEADER.findall(text))
        found.append(Preset(path.stem, said["name"], said["description"], said["group"], path, text))
    return tuple(found)
