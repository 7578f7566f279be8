# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in steps, and what the solver does on another thread, so that Blender's window goes on answering."""

from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from contextlib import closing
from functools import partial
from threading import Event, Thread
from typing import Any, TypeVar, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ...solver import may_be_interrupted
from ..giving_up import may_be_given_up

T = TypeVar("T")

#: Seconds between two looks at whether it is done.
LOOK = 0.02


def meanwhile(work: Callable[[], T]) -> Generator[float, None, T]:
    """Do work that uses no Blender data, yielding until it is done the share that it has told by done_so_far, 0 if
    none; gives its result or raises its error.

    Without a window it is done at once. Given up, it ends at its next unless_given_up, or in the middle of what the
    solver finds for long, unseen; neither other work nor Blender's end waits for that.
    """
    if bpy.app.background:
        return work()
    future: Future[T] = Future()
    given_up, is_interrupted, told = Event(), np.zeros(1, dtype=np.int64), [0.0]
    arguments = (work, future, given_up, is_interrupted, partial(told.__setitem__, 0))
    Thread(target=_do, args=arguments, name="plant_dynamics", daemon=True).start()
    try:
        while wait([future], LOOK).not_done:
            yield told[0]
    finally:
        given_up.set()
        is_interrupted[0] = 1
    return future.result()


def _do(
    work: Callable[[], T], future: Future[T], given_up: Event, is_interrupted: NDArray[np.int64],
    told: Callable[[float], None],
) -> None:  # fmt: skip
    may_be_given_up(given_up, told)
    may_be_interrupted(is_interrupted)
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001  all of it is raised again where it is waited for
        future.set_exception(error)


def result_of(steps: Generator[Any, None, T], tell: Callable[[Any], None] = lambda progress: None) -> T:
    """Do all steps at once, and tell how far each has come."""
    try:
        while True:
            tell(next(steps))
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
