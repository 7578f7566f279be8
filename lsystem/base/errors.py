# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors of this package: LSystemError, and one that still knows which of many modules is to blame."""

from typing import Self


class LSystemError(ValueError):
    """Text that cannot be read, derived or drawn, with the place in the text that is to blame.

    ``line`` and ``column`` count from 1, a tab is one column. They are 0 where no place can be named.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, source: str = "text") -> None:
        place = f"{source}, line {line}, column {column}" if line else source
        super().__init__(f"{place}: {message}")
        self.message = message
        self.line = line
        self.column = column
        self.source = source

    def during(self, what: str) -> Self:
        """The same error, saying also what was being done."""
        return type(self)(f"{self.message} ({what})", self.line, self.column, self.source)


class ExpressionError(LSystemError):
    """An expression that fails for one of the modules it is evaluated for: ``row`` is the first of these."""

    row = 0
