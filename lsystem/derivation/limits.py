# SPDX-License-Identifier: GPL-3.0-or-later
"""What a derivation may grow to, and what a replacement gives."""

from dataclasses import dataclass

from ..base.arrays import Integers
from ..base.errors import LSystemError
from ..base.module_string import ModuleString
from ..language.grammar import Production

_ASKED = 5
"""So many times as long as all else may environments take."""
_A_TRY = 50
"""Modules over arrays that take as long as a production does that is tried for one."""
_TRIES = 20_000
"""Productions may be tried so often in any case."""


@dataclass(frozen=True)
class Limits:
    """What a derivation may grow to before it is stopped with an error."""

    max_modules: int = 1_000_000
    max_depth: int = 1_000
    """Open brackets at any place of the string."""
    max_rewrites: int = 20_000_000
    """Modules looked at in all steps together, and all else that takes time, by how much of it; see `Effort`."""
    max_values: int = 10_000_000
    """Parameters of all modules together."""
    max_loops: int = 5_000_000
    """Rounds of all loops in statements together; one with a long body counts for several."""


class Effort:
    """What a derivation may still do, counted in modules that are looked at over arrays, each some tenth of a
    microsecond."""

    def __init__(self, limits: Limits) -> None:
        self.most = limits.max_rewrites
        self.left = self.most
        self.unfolded = 0
        """Replacements by decompositions and interpretation rules, one by one, which are counted for themselves."""
        self.asked = _ASKED * self.most
        """What environments may still take, which are asked by fewer modules but for longer."""
        self.tries = max(self.most // _A_TRY, _TRIES)
        """How often a production may still be tried over arrays, be it for one module or for many."""

    def take(self, cost: int) -> bool:
        """Do so much; whether that is within the limit."""
        self.left -= cost
        return self.left >= 0

    def spend(self, cost: int, where: Production, source: str) -> None:
        """Do so much for a production. Raises `LSystemError` at its place where that goes beyond the limit."""
        self.left -= cost
        if self.left < 0 or self.tries < 0:
            counted = "long conditions, contexts, statements and productions that are tried in vain count too"
            message = f"the work goes beyond that of {self.most} replacements: {counted}"
            message += f"; the last is this production of {where.symbol}"
            raise LSystemError(message, where.line, where.column, source)


@dataclass(frozen=True)
class Replaced:
    """A string, and for each of its modules the one of the string before that it comes from."""

    string: ModuleString
    origin: Integers
