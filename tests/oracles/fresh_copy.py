# SPDX-License-Identifier: GPL-3.0-or-later
"""A module as if nothing had been done with it."""

import importlib.util
from types import ModuleType


def fresh_copy(module: ModuleType) -> ModuleType:
    """Run the module's source once more: what it remembers is its own, what it imports is the same."""
    spec = importlib.util.find_spec(module.__name__)
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    return copy
