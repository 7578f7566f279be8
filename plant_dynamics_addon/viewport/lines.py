# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines in the 3D views, in the theme's colour of gizmos or in their own."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Vector
from numpy.typing import NDArray

from ..blender.in_bulk import values_of

_WIDTH, _WIDTH_IN_COLOURS = 3.0, 6.0  # pixels

Colour = tuple[float, float, float, float]


class Drawing:
    """A function that Blender calls, while it is on, whenever it draws a 3D view."""

    def __init__(self, draw: Callable[[], None]) -> None:
        self._draw = draw
        self.handle: object | None = None  # None while it is off

    def switch(self, on: bool) -> None:
        """On or off."""
        if on and self.handle is None:
            self.handle = bpy.types.SpaceView3D.draw_handler_add(self._draw, (), "WINDOW", "POST_VIEW")
        elif self.handle is not None and not on:
            bpy.types.SpaceView3D.draw_handler_remove(self.handle, "WINDOW")
            self.handle = None


_FILE_CHANGES = ("load_post", "undo_post", "redo_post")


#: What drawings show of a scene is found out by others: an item for each object.
Source = Callable[[bpy.types.Scene], Iterable[Any]]


class WantedDrawing(Drawing):
    """One that is on while something of the file wants it, also after loading and undo, and never without a window.

    data: whose properties of bpy.data say so; is_wanted: whether one of these does
    """

    def __init__(self, draw: Callable[[], None], data: str, is_wanted: Callable[[Any], bool]) -> None:
        super().__init__(draw)
        self._data, self._is_wanted = data, is_wanted

        @persistent
        def file_changed(*_: Any) -> None:
            self.refresh()

        self._file_changed = file_changed

    def refresh(self) -> None:
        """On or off, as the file wants it."""
        # There is no data while add-ons are enabled.
        all_data: Iterable[Any] = () if bpy.app.background else getattr(bpy.data, self._data, ())
        self.switch(any(self._is_wanted(one) for one in all_data))
        redraw_3d()

    def register(self) -> None:
        """Do as the file wants from now on."""
        for name in _FILE_CHANGES:
            getattr(bpy.app.handlers, name).append(self._file_changed)
        self.refresh()

    def unregister(self) -> None:
        """Off for good."""
        for name in _FILE_CHANGES:
            getattr(bpy.app.handlers, name).remove(self._file_changed)
        self.switch(False)


class SourcedDrawing(WantedDrawing):
    """One of what a source tells of the scene, while objects want it.

    draw: draws these items in the view of a context
    """

    def __init__(
        self, draw: Callable[[bpy.types.Context, Iterable[Any]], None], is_wanted: Callable[[Any], bool]
    ) -> None:
        super().__init__(self._draw_told, "objects", is_wanted)
        self._draw_items = draw
        self._source: Source | None = None

    def show(self, source: Source) -> None:
        """Draw from now on what this source tells, where it is wanted."""
        self._source = source
        self.register()

    def _draw_told(self) -> None:
        context = view_drawn()
        if self._source is not None and context is not None:
            self._draw_items(context, self._source(context.scene))


def view_drawn() -> bpy.types.Context | None:
    """The context of the 3D view that Blender draws, None where it shows no overlays."""
    context = bpy.context
    if any(part is None for part in (context.scene, context.space_data, context.region, context.region_data)):
        return None
    return context if context.space_data.overlay.show_overlays else None


def draw_lines(context: bpy.types.Context, lines: list[Vector], colours: Sequence[Colour] = ()) -> None:
    """Draw lines between the points, two by two, in world coordinates, with the points' colours where there are such.
    Call while a region is being drawn."""
    import gpu  # where there is no window this module is read too
    from gpu_extras.batch import batch_for_shader

    r, g, b, *_ = context.preferences.themes[0].user_interface.gizmo_primary
    shader = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR" if colours else "POLYLINE_UNIFORM_COLOR")
    points: dict[str, list[tuple[float, ...]]] = {"pos": [tuple(point) for point in lines]}
    if colours:
        points["color"] = list(colours)
    batch = batch_for_shader(shader, "LINES", points)
    shader.bind()
    shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    width = _WIDTH_IN_COLOURS if colours else _WIDTH
    shader.uniform_float("lineWidth", width * context.preferences.system.pixel_size)
    if not colours:
        shader.uniform_float("color", (r, g, b, 1.0))
    gpu.state.blend_set("ALPHA")
    batch.draw(shader)
    gpu.state.blend_set("NONE")


#: Length and half width of an arrow's head over its length.
_HEAD, _HEAD_WIDTH = 0.3, 0.1


def arrow_lines(start: Vector, tip: Vector) -> list[Vector]:
    """Ends of the lines of an arrow, two by two."""
    lines, length = [start, tip], (tip - start).length
    to_arrow = Vector((0.0, 0.0, 1.0)).rotation_difference(tip - start)
    for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
        barb = Vector((x * _HEAD_WIDTH, y * _HEAD_WIDTH, -_HEAD)) * length
        lines += [tip, tip + to_arrow @ barb]
    return lines


def drawn_bounds(plant: bpy.types.Object) -> NDArray[np.float64]:
    """Lowest and highest corner (m) of the plant as it is drawn, so that what is beside it keeps its place while it
    moves."""
    bones = plant.data.bones
    ends = np.concatenate([values_of(bones, "head_local", 3), values_of(bones, "tail_local", 3)])
    world = np.array(plant.matrix_world)
    points = ends @ world[:3, :3].T + world[:3, 3]
    return np.stack([points.min(axis=0), points.max(axis=0)])


def redraw_3d() -> None:
    """Have all 3D views drawn again."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager is not None else ():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
