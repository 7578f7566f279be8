# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts with a line of fifty thousand characters, for `tests.lsystem.fuzz`."""

import random
import re

LONG = 50_000
_WORDS = re.compile(r"\S+\s*")


def lengthened(source: random.Random, text: str) -> str:
    """The text with a few words of one line written over and over."""
    lines = text.split("\n")
    place = source.choice([number for number, line in enumerate(lines) if line.strip()] or [0])
    words = _WORDS.findall(lines[place]) or [source.choice(["F", "(", "[", "/*", "\\"])]
    first = source.randrange(len(words))
    chunk = "".join(words[first : first + source.randrange(1, 4)])
    if source.random() < 0.3:  # what stands within one word, so that it grows too
        inside = source.randrange(len(chunk))
        chunk = chunk[inside : inside + source.randrange(1, 6)]
    words.insert(first, chunk * (LONG // len(chunk)))
    lines[place] = "".join(words)
    return "\n".join(lines)
