# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes that Blender is to know, found in the modules that define them."""

from types import ModuleType

#: How their names begin, as Blender demands it of a set of operators and panels.
_PREFIX = "PLANT_DYNAMICS_"


def classes_of(*modules: ModuleType) -> list[type]:
    """The operators, panels and lists that the modules define, in the order in which they stand there."""
    return [
        found for module in modules for name, found in vars(module).items()
        if name.startswith(_PREFIX) and found.__module__ == module.__name__
    ]  # fmt: skip
