# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in steps, and what the solver does on another thread, so that Blender's window goes on answering."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from typing import Any, TypeVar, cast

import bpy

T = TypeVar("T")

#: Seconds between two looks at whether it is done.
_LOOK = 0.02

_thread = ThreadPoolExecutor(1, "plant_dynamics")


def meanwhile(work: Callable[[], T]) -> Generator[float, None, T]:
    """Do work that uses no Blender data, yielding 0 until it is done; gives its result or raises its error.

    Without a window it is done at once. Given up, it comes to its end all the same, unseen.
    """
    if bpy.app.background:
        return work()
    future = _thread.submit(work)
    while wait([future], _LOOK).not_done:
        yield 0.0
    return future.result()


def result_of(steps: Generator[Any, None, T]) -> T:
    """Do all steps at once."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        return cast(T, end.value)


def part(steps: Generator[float, None, T], first: float, last: float) -> Generator[float, None, T]:
    """Steps as a part of longer work, whose progress they take from first to last."""
    with closing(steps):
        try:
            while True:
                yield first + (last - first) * next(steps)
        except StopIteration as end:
            return cast(T, end.value)
