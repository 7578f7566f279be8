# SPDX-License-Identifier: GPL-3.0-or-later
"""What several plants ask for at one frame, worked out for the first of them."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class EvaluationCache:
    """Results of functions by their arguments. Good for one evaluation of the scene, and to be thrown away then.

    Errors are not kept: they are raised for whoever asks.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, ...], Any] = {}

    def __call__(self, function: Callable[..., T], *arguments: Hashable) -> T:
        """What the function returns for the arguments."""
        key = function, *arguments
        if key not in self._known:
            self._known[key] = function(*arguments)
        result: T = self._known[key]
        return result
