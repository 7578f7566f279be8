# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says in other languages, for Blender to look up: a file for each, by Blender's name of it.

messages.pot has all there is to translate.
"""

import json
from pathlib import Path

import bpy

from ..user_choices import PACKAGE

#: The labels of our operators and panels are looked up under a name of their own: what Blender says itself for the same
#: English words comes first elsewhere, and may mean something else, as 'Grab' does.
CONTEXT = "Plant Dynamics"

#: Blender looks the labels of operators up under a name of their own.
_CONTEXTS = ("*", "Operator", CONTEXT)


def languages() -> dict[str, dict[str, str]]:
    """What is said for each message, by language."""
    files = sorted(Path(__file__).parent.glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


def register() -> None:
    """Have Blender know the translations."""
    words = {
        language: {(context, text): said for text, said in texts.items() for context in _CONTEXTS}
        for language, texts in languages().items()
    }
    bpy.app.translations.register(PACKAGE, words)


def unregister() -> None:
    """Have Blender forget them."""
    bpy.app.translations.unregister(PACKAGE)
