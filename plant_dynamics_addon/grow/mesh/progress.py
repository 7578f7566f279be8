# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the work on a skin has come, told to whoever listens on this thread, if anybody does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local

Listener = Callable[[float], None]

_here = local()  # listener: of what this thread does


@contextmanager
def told_to(listener: Listener) -> Iterator[None]:
    """Meanwhile the listener is told the share (0 to 1) that is done, on this thread. What it raises ends the work."""
    before = getattr(_here, "listener", None)
    _here.listener = listener
    try:
        yield
    finally:
        _here.listener = before


@contextmanager
def stage(first: float, last: float) -> Iterator[None]:
    """Meanwhile the shares that are told are those of a part of the work, which takes it from first to last."""
    listener = getattr(_here, "listener", None)
    if listener is None:
        yield
        return
    with told_to(lambda share: listener(first + (last - first) * share)):
        tell(0.0)
        yield
        tell(1.0)


def tell(share: float) -> None:
    """So much of the work, or of its present stage, is done."""
    listener = getattr(_here, "listener", None)
    if listener is not None:
        listener(share)
