# SPDX-License-Identifier: GPL-3.0-or-later
"""What a derivation may grow to, and what a replacement gives."""

from dataclasses import dataclass

from ..base.arrays import Integers
from ..base.module_string import ModuleString


@dataclass(frozen=True)
class Limits:
    """What a derivation may grow to before it is stopped with an error."""

    max_modules: int = 1_000_000
    max_depth: int = 1_000
    """Open brackets at any place of the string."""
    max_rewrites: int = 20_000_000
    """Modules looked at in all steps together."""
    max_values: int = 10_000_000
    """Parameters of all modules together."""
    max_loops: int = 5_000_000
    """Rounds of all loops in statements together."""


@dataclass(frozen=True)
class Replaced:
    """A string, and for each of its modules the one of the string before that it comes from."""

    string: ModuleString
    origin: Integers
