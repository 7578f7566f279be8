# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts a text into statements: one a line, going on in the following lines that are indented further."""

import re

from ..base.cursor import Cursor, Text

# `//` is also two turns of the turtle, so it starts a comment only with blanks (or the line's ends) on both sides
_COMMENT = re.compile(r"#.*|(?:(?<=\s)|^)//(?=\s|$).*", re.MULTILINE)
_TAB_WIDTH = 8


def open_text(content: str, source: str) -> Text:
    """The text with uniform line ends and with comments blanked out, all offsets kept."""
    content = uniform(content)
    return Text(_COMMENT.sub(lambda match: " " * len(match.group()), content), source, content)


def uniform(content: str) -> str:
    """A text whose lines all end in the same way, without a mark of byte order."""
    return content.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def split_statements(text: Text) -> list[Cursor]:
    """One cursor a statement, standing at its first character."""
    statements: list[Cursor] = []
    indentation = 0
    offset = 0
    for line in text.content.split("\n"):
        stripped = line.lstrip()
        if stripped:
            blank = line[: len(line) - len(stripped)]
            width = len(blank.expandtabs(_TAB_WIDTH))
            if statements and width > indentation:
                statements[-1].end = offset + len(line)
            else:
                statements.append(Cursor(text, offset + len(blank), offset + len(line)))
                indentation = width
        offset += len(line) + 1
    return statements
