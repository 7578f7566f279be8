# SPDX-License-Identifier: GPL-3.0-or-later
"""Getting the solver's kernels compiled, or loaded from the disk, before they are needed."""

from collections.abc import Callable

from ... import solver

_warm = False


def is_warm() -> bool:
    """Whether the kernels are loaded."""
    return _warm


def warm_up(progress: Callable[[float], None] | None = None) -> None:
    """Compile or load all kernels. Takes a moment after installing, and nothing the second time.

    progress is told the share (0 to 1) that is done.
    """
    global _warm
    if not _warm:
        solver.warm_up(progress)
        _warm = True
