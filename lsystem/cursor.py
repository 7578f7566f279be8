# SPDX-License-Identifier: GPL-3.0-or-later
"""A reading position in a text that can say its line and column."""

from bisect import bisect_right

from .errors import LSystemError


class Text:
    """Source text with a name; translates offsets into lines and columns (both from 1)."""

    def __init__(self, content: str, source: str, raw: str | None = None) -> None:
        self.content = content
        self.raw = content if raw is None else raw
        """The content with its comments, at the same offsets."""
        self.source = source
        self._line_starts = [0]
        for offset, character in enumerate(content):
            if character == "\n":
                self._line_starts.append(offset + 1)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def error(self, message: str, offset: int) -> LSystemError:
        """An error that points at an offset; the caller raises it."""
        return LSystemError(message, *self.position(offset), self.source)


class Cursor:
    """Reads one statement: the span ``offset`` to ``end`` of a text. White space, line ends too, separates."""

    def __init__(self, text: Text, offset: int, end: int) -> None:
        self.text = text
        self.offset = offset
        self.end = end

    def skip_space(self) -> None:
        """Move to the next character that is not white space, or to the end."""
        content = self.text.content
        while self.offset < self.end and content[self.offset].isspace():
            self.offset += 1

    def peek(self) -> str:
        """The next character that is not white space, "" at the end."""
        self.skip_space()
        return self.text.content[self.offset] if self.offset < self.end else ""

    def accept(self, word: str) -> bool:
        """Skip ``word`` if it comes next."""
        self.skip_space()
        if self.text.content.startswith(word, self.offset, self.end):
            self.offset += len(word)
            return True
        return False

    def rest(self) -> str:
        """All that is left of the span, on one line."""
        return " ".join(self.text.content[self.offset : self.end].split())

    def error(self, message: str, offset: int | None = None) -> LSystemError:
        """An error at ``offset``, or where the cursor stands."""
        return self.text.error(message, self.offset if offset is None else offset)
