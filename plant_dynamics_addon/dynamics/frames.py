# SPDX-License-Identifier: GPL-3.0-or-later
"""Walking through the scene's frames without being called back at each."""

from collections.abc import Iterator
from contextlib import contextmanager

_paused = False


def handler_is_paused() -> bool:
    """Whether somebody walks through frames, so that the frame handler has nothing to do."""
    return _paused


@contextmanager
def frame_handler_paused() -> Iterator[None]:
    """While code walks through frames by itself."""
    global _paused
    before, _paused = _paused, True
    try:
        yield
    finally:
        _paused = before
