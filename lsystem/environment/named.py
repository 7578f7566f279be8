# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments by their names, with the numbers that a text gives."""

from collections.abc import Callable
from dataclasses import dataclass

from ..base.settings import Setting
from .kinds import Environment
from .light import Light
from .nearness import Nearness
from .soil import Soil
from .space import Space


@dataclass(frozen=True)
class Named:
    """An environment that is made of numbers by name; the first of these, if there are any, must be given."""

    made: Callable[..., Environment]
    numbers: dict[str, Setting]


_LENGTH = Setting(lambda value: value > 0.0, "must be above 0")

ENVIRONMENTS = {
    "space": Named(Space, {"radius": _LENGTH}),
    "light": Named(
        Light,
        {
            "cell": _LENGTH,
            "shade": Setting(lambda value: value >= 0.0, "must not be negative"),
            "fade": Setting(lambda value: value >= 1.0, "must be at least 1"),
            "layers": Setting(lambda value: value in range(33), "must be a whole number from 0 to 32"),
        },
    ),
    "solids": Named(Nearness, {}),
    "soil": Named(
        Soil,
        {
            "cell": _LENGTH,
            "surface": Setting(lambda value: 0.0 <= value <= 1.0, "must be from 0 to 1"),
            "rise": Setting(lambda value: abs(value) <= 1e6, "must be from -1 000 000 to 1 000 000"),
            "uptake": Setting(lambda value: 0.0 <= value <= 1e6, "must be from 0 to 1 000 000"),
        },
    ),
}
"""By the names that texts give."""
