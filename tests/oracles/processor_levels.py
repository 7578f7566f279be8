# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of the library of kernels that this machine's processor has."""

from solver.machine.library import levels_of_this_processor, open_library


def levels() -> list[str]:
    """From the least to the best; none where there is no library."""
    library = open_library()
    return [] if isinstance(library, str) else levels_of_this_processor(library)
