# SPDX-License-Identifier: GPL-3.0-or-later
"""What the drivers of a file read."""

from collections.abc import Iterator

import bpy


def driver_targets() -> Iterator[bpy.types.DriverTarget]:
    """The targets of all drivers that can be changed."""
    for collection in bpy.data.bl_rna.properties:
        if collection.type != "COLLECTION":
            continue
        for one in getattr(bpy.data, collection.identifier):
            for owner in (one, getattr(one, "node_tree", None)):
                data = getattr(owner, "animation_data", None)
                for curve in data.drivers if data is not None and one.is_editable else ():
                    for variable in curve.driver.variables:
                        yield from variable.targets
