# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for as long as a block of code runs."""

from collections.abc import Iterator
from contextlib import contextmanager


class Flag:
    """Is set while a block of code runs; such blocks may stand in each other."""

    def __init__(self) -> None:
        self._is_set = False

    def is_set(self) -> bool:
        """Whether such a block runs."""
        return self._is_set

    @contextmanager
    def set(self) -> Iterator[None]:
        """Meanwhile it is set, and afterwards as before."""
        before, self._is_set = self._is_set, True
        try:
            yield
        finally:
            self._is_set = before
