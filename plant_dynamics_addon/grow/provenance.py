# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant was grown from: noted when it grows, so that it can be grown again with one thing changed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...lsystem import presets
from ..errors import PlantError
from .recipe import Recipe

_LARGEST_SEED = 2**31 - 1  # of a property
#: What of a recipe changes more than the look.
_EXACT = ("steps", "seed", "prune_below", "constants")
#: Of plants that do not say it.
_LEAF_BONES_BEFORE = 1


def remember(obj: bpy.types.Object, recipe: Recipe) -> None:
    """Note what the plant was grown from. Of a preset the name, of another text all of it: it may be edited later."""
    growth = obj.plant_dynamics.growth
    growth.is_known = True
    growth.preset = next((preset.name for preset in presets() if preset.text == recipe.text), "")
    growth.text_name, growth.text = ("", "") if growth.preset else (recipe.source, recipe.text)
    _note_constants(growth, recipe.constants)
    growth.steps, growth.seed = recipe.steps or 0.0, seed_of_property(recipe.seed)
    growth.prune_below = recipe.prune_below
    growth.exact = json.dumps({
        "steps": None if recipe.steps is None else float(recipe.steps), "seed": int(recipe.seed),
        "prune_below": float(recipe.prune_below), "leaf_bones": int(recipe.leaf_bones),
        "constants": {name: float(value) for name, value in recipe.constants.items()},
    })  # fmt: skip
    growth.pot, growth.detail, growth.instanced = recipe.pot, recipe.detail, recipe.instanced
    is_object = isinstance(recipe.around, bpy.types.Object)
    growth.around_object = recipe.around if is_object else None
    growth.around_collection = None if is_object else recipe.around


def take_over(obj: bpy.types.Object, other: bpy.types.Object) -> None:
    """Note for the object what is noted for the other."""
    growth, of_other = obj.plant_dynamics.growth, other.plant_dynamics.growth
    for prop in growth.bl_rna.properties:
        if prop.type != "COLLECTION" and not prop.is_readonly:
            setattr(growth, prop.identifier, getattr(of_other, prop.identifier))
    _note_constants(growth, _constants(of_other))


def _note_constants(growth: bpy.types.PropertyGroup, values: Mapping[str, float]) -> None:
    growth.constants.clear()
    for name, value in values.items():
        one = growth.constants.add()
        one.name, one.value = name, value


def _constants(growth: bpy.types.PropertyGroup) -> dict[str, float]:
    return {one.name: one.value for one in growth.constants}


def recipe_of_plant(obj: bpy.types.Object) -> Recipe:
    """What it was grown from. Raises PlantError."""
    growth = obj.plant_dynamics.growth
    if not growth.is_known:
        raise PlantError("'{object}' was not grown here, or by an older version", object=obj.name)
    text, source = growth.text, growth.text_name
    if growth.preset:
        preset = next((one for one in presets() if one.name == growth.preset), None)
        if preset is None:
            raise PlantError(
                "'{object}' was grown from a preset that is no longer there: '{preset}'",
                object=obj.name, preset=growth.preset,
            )
        text, source = preset.text, preset.title
    look = {"pot": growth.pot, "detail": growth.detail, "instanced": growth.instanced}
    around = growth.around_object or growth.around_collection
    return Recipe(text, source, **_numbers(growth), **look, around=around)


def _numbers(growth: bpy.types.PropertyGroup) -> dict[str, Any]:
    if growth.exact:
        return {"leaf_bones": _LEAF_BONES_BEFORE} | dict(json.loads(growth.exact))
    numbers = {"steps": growth.steps or None, "seed": growth.seed, "prune_below": growth.prune_below}
    return numbers | {"constants": _constants(growth), "leaf_bones": _LEAF_BONES_BEFORE}


def exact_recipe(obj: bpy.types.Object, recipe: Recipe) -> Recipe | None:
    """The recipe with the exact age, seed, constants and Prune Below of the plant if it was grown from the same, but
    for what changes only the look; None if not. The panel's numbers are the same where they are the plant's in single
    precision."""
    own = recipe_of_plant(obj)
    if own.around is not None or recipe.around is not None:
        return None  # which may stand elsewhere now
    kinds = ((one.text, one.seed, one.leaves_bend_as, one.constants.keys()) for one in (own, recipe))
    same = next(kinds) == next(kinds)
    pairs = [(own.steps, recipe.steps), (own.prune_below, recipe.prune_below)]
    pairs += [(value, recipe.constants.get(name)) for name, value in own.constants.items()]
    if not (same and all(_is_same(mine, given) for mine, given in pairs)):
        return None
    return replace(recipe, **{name: getattr(own, name) for name in _EXACT})


def _is_same(own: float | None, given: float | None) -> bool:
    if own is None or given is None:
        return own is given
    return given in (own, float(np.float32(own)))


def seed_of_property(seed: int) -> int:
    """The nearest that a property can hold."""
    return max(-_LARGEST_SEED, min(seed, _LARGEST_SEED))
