# SPDX-License-Identifier: GPL-3.0-or-later
"""A reading position in a text that can say its line and column."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import lru_cache
from operator import eq

from .errors import LSystemError

NAME = re.compile(r"[^\W\d]\w*")
NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


_MOST_COMPARED = 4_000_000
"""Pairs of characters; of longer lines not all are compared with each other."""

_PIECE, _FEW, _NEAR = 256, 4, 32
"""Characters of long lines that are compared at once, that tell where two go on alike, and within which they do."""


@dataclass(frozen=True)
class Origin:
    """Where a line of a text comes from."""

    number: int
    """From 1."""
    line: str
    """As it is there."""
    within: str = ""
    """Words for errors, of a line of another file: which one."""


class Text:
    """Source text with a name; translates offsets into lines and columns (both from 1).

    origins: for each line, if the text was made from another one, the line it comes from; lines and columns are then
    those of there.
    """

    def __init__(
        self, content: str, source: str, raw: str | None = None, origins: Sequence[Origin] | None = None
    ) -> None:
        self.content = content
        self.raw = content if raw is None else raw
        """The content with its comments, at the same offsets."""
        self.source = source
        self._lines, self._origins = content.split("\n"), origins
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", content))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self._line_starts, offset)
        column = offset - self._line_starts[line - 1]
        if self._origins is not None:
            origin = self._origins[line - 1]
            return origin.number, _in_original(column, self._lines[line - 1], origin.line) + 1
        return line, column + 1

    def error(self, message: str, offset: int) -> LSystemError:
        """An error that points at an offset; the caller raises it."""
        line = bisect_right(self._line_starts, offset)
        within = "" if self._origins is None else self._origins[line - 1].within
        return LSystemError(message + within, *self.position(offset), self.source)


def _in_original(column: int, line: str, original: str) -> int:
    """Where in a line, from 0, that is which has come to a column of its translation, or what stands before it."""
    common = _common(line, original)
    k = bisect_right(common, column, key=lambda match: match.a) - 1
    if k < 0:
        return 0
    ours, theirs, length = common[k]
    return theirs + min(column - ours, max(length - 1, 0))


@lru_cache(maxsize=256)
def _common(line: str, original: str) -> list[Match]:
    if len(line) * len(original) > _MOST_COMPARED:
        return list(_met_on_the_way(line, original))
    return SequenceMatcher(None, line, original, autojunk=False).get_matching_blocks()


def _met_on_the_way(line: str, original: str) -> Iterator[Match]:
    """What two lines have in common, in a time that grows with their lengths and not with the square of these: where
    they part they are taken up again at the next few characters that both have nearby."""
    i = j = 0
    while i < len(line) and j < len(original):
        piece, other = line[i : i + _PIECE], original[j : j + _PIECE]
        parts = (k for k, same in enumerate(map(eq, piece, other)) if not same)
        length = next(parts, min(len(piece), len(other)))
        if length:
            yield Match(i, j, length)
            i, j = i + length, j + length
            continue
        found = ((a, original.find(line[i + a : i + a + _FEW], j, j + _NEAR)) for a in range(_NEAR))
        a, at = next(((a, at) for a, at in found if at >= 0), (1, j + 1))
        i, j = i + a, at


@dataclass
class Cursor:
    """Reads one statement: the span ``offset`` to ``end`` of a text. White space, line ends too, separates."""

    text: Text
    offset: int
    end: int

    def skip_space(self) -> int:
        """Move to the next character that is not white space, or to the end; where that is."""
        content, offset, end = self.text.content, self.offset, self.end
        while offset < end and content[offset].isspace():
            offset += 1
        self.offset = offset
        return offset

    def peek(self) -> str:
        """The next character that is not white space, "" at the end."""
        self.skip_space()
        return self.text.content[self.offset] if self.offset < self.end else ""

    def match(self, pattern: re.Pattern[str]) -> str:
        """What comes next of a pattern, "" if it does not; the cursor stays before it."""
        self.skip_space()
        match = pattern.match(self.text.content, self.offset, self.end)
        return match.group() if match else ""

    def found(self) -> str:
        """What comes next, for messages."""
        return f"'{self.peek()}'" if self.peek() else "the end of the statement"

    def comes(self, word: str) -> bool:
        """Whether ``word`` comes next."""
        self.skip_space()
        return self.text.content.startswith(word, self.offset, self.end)

    def accept(self, word: str) -> bool:
        """Skip ``word`` if it comes next."""
        accepted = self.comes(word)
        self.offset += len(word) * accepted
        return accepted

    def expect(self, word: str, before: str) -> None:
        """Skip ``word``; an error names what stands before it."""
        if not self.accept(word):
            raise self.error(f"expected '{word}' after '{before}'")

    def finish(self) -> None:
        """Raise if anything is left."""
        if self.peek():
            raise self.error(f"unexpected '{self.peek()}'")

    def rest(self) -> str:
        """All that is left of the span, on one line."""
        return " ".join(self.text.content[self.offset : self.end].split())

    def error(self, message: str, offset: int | None = None) -> LSystemError:
        """An error at ``offset``, or where the cursor stands."""
        return self.text.error(message, self.offset if offset is None else offset)
