# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of what must be shown: a target beside what was measured."""

from benchmarks.machine import markdown


class Shown:
    """A table of figures beside their targets."""

    def __init__(self, title: str, note: str = "") -> None:
        self._title, self._note = title, note
        self._rows: list[list[str]] = []

    def add(self, what: str, target: str, measured: str, reached: bool | None = None) -> None:
        """Append a row; reached None: the figure has no bound of its own."""
        missed = reached is not None and not reached
        self._rows.append([what, target, measured + (" — **short**" if missed else "")])

    def markdown(self) -> str:
        return markdown(self._title, ["what", "target", "measured"], self._rows, self._note)


def percent(value: float, digits: int = 2) -> str:
    """A share in per cent, to so many digits that count."""
    return f"{100.0 * value:.{digits}g} %"
