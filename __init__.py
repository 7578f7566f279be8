# SPDX-License-Identifier: GPL-3.0-or-later
"""Plant Dynamics: L-systems and armatures that move as real plants do.

Blender calls `register` and `unregister`. Nothing is imported before that, so that the packages beside this file can be
used and tested without Blender.
"""


def register() -> None:
    """Add the extension's classes, properties and handlers to Blender."""
    from .plant_dynamics_addon.registration import register as register_addon

    register_addon()


def unregister() -> None:
    """Remove everything that `register` added."""
    from .plant_dynamics_addon.registration import unregister as unregister_addon

    unregister_addon()
