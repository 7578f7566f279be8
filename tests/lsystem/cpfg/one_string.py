# SPDX-License-Identifier: GPL-3.0-or-later
"""Skeletons of single strings of cpfg; lengths are centimetres, its y axis points upwards."""

from dataclasses import replace
from typing import Any

import numpy as np

from lsystem import Skeleton, derive, interpret, parse
from lsystem.language.beside.kinds import Beside, View


def drawn(string: str, **view: Any) -> Skeleton:
    """The skeleton of one string, in units, with a view."""
    text = f"Lsystem: 1\naxiom: {string}\nendlsystem\n"
    grammar = parse(text)
    assert grammar.program is not None
    beside = Beside(view=View(**view))
    width = 0.5 * beside.view.width
    grammar = replace(grammar, radius=width, program=replace(grammar.program, beside=beside))
    return interpret(derive(grammar), grammar)


def places(skeleton: Skeleton) -> np.ndarray:
    """Ends of the segments in units, as cpfg's x, y and z."""
    x, y, z = (skeleton.tail() / 0.01).T
    return np.stack([x, z, -y], axis=1)
