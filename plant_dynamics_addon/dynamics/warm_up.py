# SPDX-License-Identifier: GPL-3.0-or-later
"""Getting the solver's kernels compiled, or loaded from the disk, before they are needed."""

from ... import solver

_warm = False


def is_warm() -> bool:
    """Whether the kernels are loaded."""
    return _warm


def warm_up() -> None:
    """Compile or load all kernels. Takes a moment after installing, and nothing the second time."""
    global _warm
    if not _warm:
        solver.warm_up()
        _warm = True
