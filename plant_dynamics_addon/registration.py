# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds everything that the extension has to Blender, and removes it."""


def register() -> None:
    """Add the extension's classes, properties and handlers to Blender."""


def unregister() -> None:
    """Remove everything that `register` added, in reverse order."""
