# SPDX-License-Identifier: GPL-3.0-or-later
"""Turning the 3D view to what has been found."""

from bpy.types import Context
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector


def bring_into_view(context: Context, point: Vector) -> None:
    """Have the context's 3D view, if it has one, look at the point (m, world axes) unless that is seen already, beside
    the sidebar. Its direction and distance stay; what a camera sees does too."""
    space = context.space_data
    if space is None or space.type != "VIEW_3D" or space.region_3d.view_perspective == "CAMERA":
        return
    regions = {region.type: region for region in context.area.regions}
    window = regions["WINDOW"]
    beside = regions["UI"].width if context.preferences.system.use_region_overlap else 0
    place = location_3d_to_region_2d(window, space.region_3d, point)
    if place is None or not (0.0 <= place.x < window.width - beside and 0.0 <= place.y < window.height):
        space.region_3d.view_location = point
