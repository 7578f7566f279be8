# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a file of cpfg character by character: symbols of modules, or tokens of expressions.

A statement ends at the end of its line, unless the next line begins with a tab, or within the braces of a block.
"""

import re
from dataclasses import dataclass

from ...base.cursor import Text
from ...base.errors import LSystemError

_BLANKS = re.compile(r"(?:[ \t\f\v]|\n\t)*")
_BLANKS_AND_LINES = re.compile(r"\s*")
_REST = re.compile(r"(?:[^\n]|\n\t)*")
_TOKEN = re.compile(
    r"(?P<number>[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+)"
    r"|(?P<name>[A-Za-z]\w*)"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<arrow>--+>|-o>)"
    r"|(?P<operator>&&|\|\||[<>=!]=|<>|[-+*/^%<>!=(),:;?&{}\[\]])",
    re.ASCII,
)
ARROWS = ("-->", "-o>")


@dataclass
class Scanner:
    """A place in a text. ``braces`` counts the blocks it is in."""

    text: Text
    offset: int = 0
    braces: int = 0

    def skip_blanks(self) -> int:
        """Go to the next character of the statement; where that is."""
        content, offset = self.text.content, self.offset
        if not "!" <= content[offset : offset + 1] <= "~":  # which no blank is
            blanks = (_BLANKS_AND_LINES if self.braces else _BLANKS).match(content, offset)
            assert blanks is not None  # matches anywhere
            self.offset = offset = blanks.end()
        return offset

    def symbol(self) -> str:
        """The next character of the statement, "" at its end; an arrow as a whole."""
        content = self.text.content
        place = self.skip_blanks()
        character = content[place : place + 1]
        if character == "-":
            for arrow in ARROWS:
                if content.startswith(arrow, place):
                    return arrow
        return "" if character == "\n" else character

    def token(self) -> tuple[str, str]:
        """Kind and text of the next token of an expression; ("", "") at the end of the statement."""
        content = self.text.content
        while True:
            place = self.skip_blanks()
            if place >= len(content) or (content[place] == "\n" and not self.braces):
                return "", ""
            match = _TOKEN.match(content, place)
            if match is not None:
                return match.lastgroup or "", match.group()
            if content[place] != "\\":
                return "unknown", content[place]
            self.offset += 1  # what is left of a line that was to be joined with the next

    def take(self, found: str) -> str:
        """Go behind what was found."""
        self.offset += len(found)
        return found

    def accept(self, token: str) -> bool:
        """Go behind a token of an expression if it comes next."""
        found = self.token()[1] == token
        if found:
            self.take(token)
        return found

    def expect(self, token: str, why: str = "") -> None:
        """Go behind a token of an expression that must come next."""
        if not self.accept(token):
            raise self.error(f"expected '{token}'{why}, found {self.found()}")

    def found(self) -> str:
        """What comes next, for messages."""
        token = self.token()[1]
        return f"'{token}'" if token else "the end of the statement"

    def rest(self) -> str:
        """All that is left of the statement; the scanner goes to its end."""
        match = _REST.match(self.text.content, self.offset)
        assert match is not None  # matches anywhere
        self.offset = match.end()
        return match.group()

    def comes(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What comes next of a pattern."""
        return pattern.match(self.text.content, self.skip_blanks())

    def next_statement(self) -> bool:
        """Go over ends of lines to the next statement; False at the end of the text."""
        match = _BLANKS_AND_LINES.match(self.text.content, self.offset)
        assert match is not None  # matches anywhere
        self.offset = match.end()
        return self.offset < len(self.text.content)

    def error(self, message: str, offset: int | None = None) -> LSystemError:
        """An error at an offset, or at what comes next."""
        return self.text.error(message, self.skip_blanks() if offset is None else offset)
