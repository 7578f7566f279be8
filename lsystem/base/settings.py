# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that set, by name, what the following segments are made of: ``@density(900)``. Brackets restore it."""

from collections.abc import Callable
from dataclasses import dataclass

from .organs import ORGANS, SECTIONS


@dataclass(frozen=True)
class Setting:
    """A property of segments that the text can give; names: words that stand for 0, 1, 2 ..."""

    allowed: Callable[[float], bool]
    limit: str
    parameters: tuple[str, ...] = ("value",)
    names: tuple[str, ...] = ()


def _one_of(names: tuple[str, ...]) -> Setting:
    return Setting(lambda value: value in range(len(names)), f"must be one of {', '.join(names)}", names=names)


MATERIAL_KEYS = {
    "young": Setting(lambda value: value > 0.0, "must be above 0 Pa"),
    "poisson": Setting(lambda value: -1.0 < value <= 0.5, "must be above -1 and at most 0.5"),
    "density": Setting(lambda value: value > 0.0, "must be above 0 kg/m3"),
    "damping": Setting(lambda value: value >= 0.0, "must not be negative"),
    "joint": Setting(lambda value: 1e-4 <= value <= 1e4, "must be from 0.0001 to 10 000"),
    "strength": Setting(lambda value: value > 0.0, "must be above 0 Pa"),
    "section": _one_of(SECTIONS),
    "aspect": Setting(lambda value: 0.01 <= value <= 100.0, "must be from 0.01 to 100"),
    "twist": Setting(lambda value: 0.1 <= value <= 1000.0, "must be from 0.1 to 1000"),
}
"""What a `material` line may give: Young's modulus in Pa, density in kg/m3, stiffness-proportional damping time in s, a
factor on the stiffness of the joint at the base, the bending stress at which it breaks in Pa, the shape of the section,
its width over its thickness, and bending over twisting stiffness, EI/GJ."""

SETTINGS = {
    **{f"@{key}": setting for key, setting in MATERIAL_KEYS.items()},
    "@organ": _one_of(ORGANS),
    "@pin": Setting(lambda value: value in (0.0, 1.0), "must be 0 or 1"),
    "@elasticity": Setting(lambda value: abs(value) <= 10.0, "must be from -10 to 10"),
    "@tropism": Setting(lambda value: abs(value) <= 10.0, "must be from -10 to 10", ("x", "y", "z", "elasticity")),
}
"""What a module of this name sets for the segments after it."""
