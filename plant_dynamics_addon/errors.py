# SPDX-License-Identifier: GPL-3.0-or-later
"""The error that operators report to the user."""

from collections.abc import Callable
from dataclasses import dataclass

_translated: Callable[[str], str] = str


def tell_in(translated: Callable[[str], str]) -> None:
    """Have messages said as this function of their English says them."""
    global _translated
    _translated = translated


@dataclass(frozen=True)
class Fix:
    """That one click mends it: kind, a key of the table of fixes; the object (session_uid) and bones in question."""

    kind: str
    uid: int
    bones: tuple[str, ...] = ()


class PlantError(Exception):
    """Something in the scene cannot be simulated; the message says what, where and what to do, in the interface's
    language.

    told: what is filled in between its braces. fix: given where the panel can offer a button that mends it.
    """

    def __init__(self, message: str, fix: Fix | None = None, **told: object):
        said = _translated(message)
        super().__init__(said.format(**told) if told else said)
        self.fix = fix
