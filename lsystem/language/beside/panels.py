# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of sliders beside files of cpfg: what their constants are called, and from where to where they go."""

import math
import re

from .kinds import Slider

_LINE = re.compile(r"[ \t]*(type|name|min/max|message)[ \t]*:[ \t]*(.*?)[ \t]*\Z")
_SETS = re.compile(r"d[ \t]+([A-Za-z_]\w*)[ \t]+%d(?:[ \t]+([0-9.]{1,20}))?\Z")
"""What a slider does to a constant: its value over a number."""


def read_panel(text: str) -> dict[str, Slider]:
    """The sliders of a panel by their constants' names; what else it holds, and what cannot be read, is left out."""
    items: list[dict[str, str]] = [{}]
    for line in text.split("\n"):
        if match := _LINE.match(line):
            if match.group(1) == "type":
                items.append({})
            items[-1][match.group(1)] = match.group(2)
    found: dict[str, Slider] = {}
    for item in items:
        sets = _SETS.match(item.get("message", ""))
        if item.get("type") != "SLIDER" or sets is None:
            continue
        try:
            over = float(sets.group(2) or 1.0)
            minimum, maximum = (float(bound) / over for bound in item.get("min/max", "").split())
        except (ValueError, ZeroDivisionError):
            continue
        if math.isfinite(maximum - minimum) and minimum < maximum:
            found.setdefault(sets.group(1), Slider(item.get("name", ""), minimum, maximum))
    return found
