# SPDX-License-Identifier: GPL-3.0-or-later
"""Enabling and disabling leave Blender as it was, and Blender finds nothing to complain about."""

from types import ModuleType

import addon_utils
import bpy
import pytest

EXTENSION = "bl_ext.user_default.plant_dynamics"


def own_names(kind: type) -> set[str]:
    """Names of the registered classes of a kind that belong to the extension."""
    found, waiting = set(), list(kind.__subclasses__())
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        if cls.__module__.startswith(EXTENSION) and cls.is_registered:
            found.add(cls.__name__)
    return found


def registered() -> set[str]:
    kinds = (bpy.types.Operator, bpy.types.Panel, bpy.types.PropertyGroup, bpy.types.UIList, bpy.types.Menu,
             bpy.types.AddonPreferences)  # fmt: skip
    return set().union(*(own_names(kind) for kind in kinds))


def own_handlers() -> list[str]:
    """The extension's functions in Blender's lists of handlers, one entry for each time it is in one."""
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return [
        f"{name}: {function.__name__}"
        for name, functions in lists.items()
        if isinstance(functions, list)
        for function in functions
        if getattr(function, "__module__", "").startswith(EXTENSION)
    ]


def test_disabling_removes_everything_and_enabling_brings_it_back(addon: ModuleType) -> None:
    classes, handlers = registered(), own_handlers()
    addon_utils.disable(EXTENSION)
    try:
        assert registered() == set()
        assert own_handlers() == []
        for kind in (bpy.types.Object, bpy.types.Bone, bpy.types.Scene):
            assert not hasattr(kind, "plant_dynamics")
    finally:
        assert addon_utils.enable(EXTENSION, default_set=True) is not None
    assert registered() == classes
    assert own_handlers() == handlers


def test_no_policy_violation(addon: ModuleType) -> None:
    addon_utils._is_first_reset()
    warnings = addon_utils._extensions_warnings_get()
    assert {name: found for name, found in warnings.items() if name.startswith(EXTENSION)} == {}


@pytest.mark.usefixtures("fresh")
def test_fresh_file_keeps_the_extension_enabled() -> None:
    assert EXTENSION in bpy.context.preferences.addons
    assert len(bpy.data.objects) == 0
