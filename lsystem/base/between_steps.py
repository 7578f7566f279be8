# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant in the middle of a derivation step, as the strings before and after it."""

from dataclasses import dataclass

from .arrays import Integers
from .module_string import ModuleString


@dataclass(frozen=True)
class Derived:
    """A plant between two whole steps of its derivation."""

    before: ModuleString
    """The string after the last whole step."""
    after: ModuleString
    """The string after the next one."""
    group_before: Integers
    group_after: Integers
    """Numbers of each module of the two strings: those that come from one module have the same."""
    fraction: float
    """How much of the step has passed, above 0 and at most 1."""
