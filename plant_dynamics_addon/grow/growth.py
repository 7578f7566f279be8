# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant was grown from: noted when it grows, so that it can be grown again with one thing changed."""

import json
from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from ...lsystem import presets
from ..errors import PlantError
from .recipe import show_constants

_LARGEST_SEED = 2**31 - 1  # of a property
#: In the panel an age of 0 is the full one: what has not taken a step is shown as having taken next to none.
_ALMOST_NO_STEP = 1e-4

Growth = tuple[str, str, dict[str, Any]]


def remember(
    obj: bpy.types.Object,
    text: str,
    source: str,
    *,
    steps: float | None,
    seed: int,
    constants: Mapping[str, float] | None,
    prune_below: float,
    pot: bool,
    detail: str,
    instanced: bool,
) -> None:
    """Note what `grow_from_text` was told. Of a preset the name, of another text all of it: it may be edited later."""
    growth = obj.plant_dynamics.growth
    growth.is_known = True
    growth.preset = next((preset.name for preset in presets() if preset.text == text), "")
    growth.text_name, growth.text = ("", "") if growth.preset else (source, text)
    growth.constants.clear()
    for name, value in (constants or {}).items():
        one = growth.constants.add()
        one.name, one.value = name, value
    growth.steps, growth.seed, growth.prune_below = steps or 0.0, _seed_of_property(seed), prune_below
    growth.exact = json.dumps({
        "steps": None if steps is None else float(steps), "seed": int(seed), "prune_below": float(prune_below),
        "constants": {name: float(value) for name, value in (constants or {}).items()},
    })  # fmt: skip
    growth.pot, growth.detail, growth.instanced = pot, detail, instanced


def take_over(obj: bpy.types.Object, other: bpy.types.Object) -> None:
    """Note for the object what is noted for the other."""
    growth, of_other = obj.plant_dynamics.growth, other.plant_dynamics.growth
    for prop in growth.bl_rna.properties:
        if prop.type != "COLLECTION" and not prop.is_readonly:
            setattr(growth, prop.identifier, getattr(of_other, prop.identifier))
    growth.constants.clear()
    for constant in of_other.constants:
        one = growth.constants.add()
        one.name, one.value = constant.name, constant.value


def growth_of_plant(obj: bpy.types.Object) -> Growth:
    """Text, its name, and the other arguments of `grow_from_text` but for the location. Raises PlantError."""
    growth = obj.plant_dynamics.growth
    if not growth.is_known:
        raise PlantError(f"'{obj.name}' was not grown here, or by an older version")
    text, source = growth.text, growth.text_name
    if growth.preset:
        preset = next((one for one in presets() if one.name == growth.preset), None)
        if preset is None:
            raise PlantError(f"'{obj.name}' was grown from a preset that is no longer there: '{growth.preset}'")
        text, source = preset.text, preset.title
    return text, source, _numbers(growth) | {
        "pot": growth.pot, "detail": growth.detail, "instanced": growth.instanced,
    }  # fmt: skip


def _numbers(growth: bpy.types.PropertyGroup) -> dict[str, Any]:
    if growth.exact:
        return dict(json.loads(growth.exact))
    constants = {one.name: one.value for one in growth.constants}
    return {
        "steps": growth.steps or None, "seed": growth.seed, "prune_below": growth.prune_below, "constants": constants
    }  # fmt: skip


def numbers_alike(obj: bpy.types.Object, text: str, growth: Mapping[str, Any]) -> dict[str, Any] | None:
    """Exact age, seed, constants and Prune Below of the plant if it was grown from the same, but for what changes only
    the look; None if not. The panel's numbers are the same where they are the plant's in single precision."""
    own_text, _, own = growth_of_plant(obj)
    other: dict[str, Any] = {"steps": None, "seed": 0, "constants": None, "prune_below": 1e-4} | dict(growth)
    constants, others = own["constants"], other["constants"] or {}
    same = (own_text, own["seed"], constants.keys()) == (text, other["seed"], others.keys())
    pairs = [(own[name], other[name]) for name in ("steps", "prune_below")]
    pairs += [(value, others.get(name)) for name, value in constants.items()]
    if not (same and all(_is_same(mine, given) for mine, given in pairs)):
        return None
    return {name: own[name] for name in ("steps", "seed", "constants", "prune_below")}


def _is_same(own: float | None, given: float | None) -> bool:
    if own is None or given is None:
        return own is given
    return given in (own, float(np.float32(own)))


def _seed_of_property(seed: int) -> int:
    return max(-_LARGEST_SEED, min(seed, _LARGEST_SEED))


def growth_to_panel(options: bpy.types.PropertyGroup, obj: bpy.types.Object) -> list[str]:
    """Have the Grow panel say how the plant was grown; returns what it cannot say. A text that has been edited since,
    or is gone, is written to a new one. Raises PlantError."""
    growth = obj.plant_dynamics.growth
    text, source, grown = growth_of_plant(obj)
    if growth.preset:
        options.preset, options.source = growth.preset, "PRESET"
    else:
        options.text, options.source = _text_with(text, source), "TEXT"
    show_constants(options, grown["constants"])
    steps, seed = grown["steps"], grown["seed"]
    options.steps = 0.0 if steps is None else steps or _ALMOST_NO_STEP
    options.seed, options.prune_below = _seed_of_property(seed), grown["prune_below"]
    options.pot, options.detail, options.instance_leaves = growth.pot, growth.detail, growth.instanced
    if options.seed == seed:
        return []
    return [
        f"'{obj.name}' was grown with seed {seed}, which the panel cannot hold: Grow Again would take {options.seed}"
    ]


def _text_with(content: str, name: str) -> bpy.types.Text:
    named = bpy.data.texts.get(name)
    for text in ([named] if named else []) + list(bpy.data.texts):
        if text.as_string() == content:
            return text
    text = bpy.data.texts.new(name)
    text.write(content)
    return text
