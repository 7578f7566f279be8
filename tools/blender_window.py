# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own window, worked and photographed by a script that timers step through."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import bpy
import numpy as np
from mathutils import Euler, Vector
from picture_files import Pixels, beside, read_png

EXTENSION = "bl_ext.user_default.plant_dynamics"

#: Something done in the window: yields the seconds to wait until Blender has drawn what was changed.
Scene = Iterator[float]

#: What Blender draws over a 3D View.
OVERLAYS = (
    "show_floor", "show_axis_x", "show_axis_y", "show_cursor", "show_text", "show_object_origins", "show_bones",
    "show_extras", "show_outline_selected", "show_relationship_lines",
)  # fmt: skip


def window() -> bpy.types.Window:
    return bpy.context.window_manager.windows[0]


def area(kind: str = "VIEW_3D") -> bpy.types.Area:
    return next(a for a in window().screen.areas if a.type == kind)


def region(kind: str = "WINDOW", of: str = "VIEW_3D") -> bpy.types.Region:
    return next(r for r in area(of).regions if r.type == kind)


def in_view() -> AbstractContextManager[None]:
    """The context of the 3D View, which timers do not have."""
    return bpy.context.temp_override(window=window(), screen=window().screen, area=area(), region=region())


def run(name: str, **options) -> None:
    """Call one of the extension's operators as a script does; its errors are raised."""
    with in_view():
        getattr(bpy.ops.plant_dynamics, name)(**options)


def photograph(of: bpy.types.Area | None = None, on: bpy.types.Window | None = None) -> Pixels:
    """The pixels of an area, or of a whole window, as they were last drawn."""
    on = on or window()
    file = str(Path(bpy.app.tempdir) / "photograph.png")
    with bpy.context.temp_override(window=on, area=on.screen.areas[0]):
        bpy.ops.screen.screenshot(filepath=file)
    pixels = read_png(file)
    if not pixels.any():
        # Software OpenGL cannot read back what it has shown; the X server can.
        subprocess.run(["import", "-window", "root", file], check=True)
        screen = read_png(file)
        top = screen.shape[0] - on.y - on.height
        pixels = screen[max(0, top) : top + on.height, on.x : on.x + on.width]
    Path(file).unlink()
    if of is None:
        return pixels
    top = pixels.shape[0] - of.y - of.height
    return pixels[top : top + of.height, of.x : of.x + of.width]


def sidebar() -> Pixels:
    """The sidebar of the 3D View without the empty space below its panels."""
    view, bar = area(), region("UI")
    pixels = photograph(view)
    top = view.y + view.height - bar.y - bar.height
    column = pixels[top : top + bar.height, bar.x - view.x : bar.x - view.x + bar.width]
    inside = column[:, 20:-60]  # without the tabs and the frame
    drawn = np.flatnonzero((inside != inside[-20]).any(axis=(1, 2)))
    drawn = drawn[drawn < len(inside) - 20]
    return column[: int(drawn[-1]) + 12]


def split(kind: str, direction: str, factor: float) -> Scene:
    """Give a part of the 3D View to another editor, in a copy of the workspace; returns its area."""
    with in_view():
        bpy.ops.workspace.duplicate()
    yield 0.5
    with in_view():
        bpy.ops.screen.area_split(direction=direction, factor=factor)
    yield 0.5
    part = min((a for a in window().screen.areas if a.type == "VIEW_3D"), key=lambda a: (a.y, a.x))
    part.type = kind
    yield from open_tab()
    return part


def back_to_layout() -> Scene:
    """The workspace every scene begins in."""
    window().workspace = bpy.data.workspaces["Layout"]
    yield 0.5


def new_scene(frames: int = 120) -> Scene:
    """An empty scene of this many frames in still air, seen in plain material colours, with the Plant tab open."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    for blocks in (bpy.data.armatures, bpy.data.meshes, bpy.data.actions, bpy.data.materials):
        for block in list(blocks):
            blocks.remove(block)
    scene = window().scene
    scene.frame_start, scene.frame_end = 1, frames
    scene.frame_set(1)
    wind = scene.plant_dynamics.wind
    for setting in wind.bl_rna.properties:
        if not setting.is_readonly:
            wind.property_unset(setting.identifier)
    space = area().spaces.active
    space.shading.type, space.shading.color_type = "SOLID", "MATERIAL"
    space.shading.background_type = "THEME"
    space.show_region_ui = True
    space.overlay.show_overlays = True
    for name in OVERLAYS:
        setattr(space.overlay, name, True)
    yield from open_tab()


def open_tab() -> Scene:
    """Open the Plant tab. The sidebar has tabs only after it was drawn."""
    for _ in range(20):
        area().tag_redraw()
        yield 0.3
        bar = region("UI")
        if bar.active_panel_category == "Plant":
            return
        if not bar.is_property_readonly("active_panel_category"):
            bar.active_panel_category = "Plant"
    raise RuntimeError("the sidebar has no Plant tab")


def reopen_sidebar() -> Scene:
    """Have panels stand where they belong, which else glide there while nobody waits."""
    area().spaces.active.show_region_ui = False
    yield 0.5
    area().spaces.active.show_region_ui = True
    yield from open_tab()


def show_only(names: Sequence[str]) -> None:
    """Register these sub-panels and no others, unfolded."""
    classes = [cls for cls in sys.modules[f"{EXTENSION}.plant_dynamics_addon.panels"].CLASSES if "_PT_" in cls.__name__]
    for panel in reversed(classes):
        if panel.is_registered:
            bpy.utils.unregister_class(panel)
    for panel in classes:
        name = panel.__name__.partition("_PT_")[2]
        if name in names or name.endswith("_presets"):  # those are behind icons
            if "DEFAULT_CLOSED" in getattr(panel, "bl_options", ()):
                panel.bl_options = set()
            bpy.utils.register_class(panel)


def all_panels() -> list[str]:
    """The names of all panels, as `show_only` wants them."""
    classes = sys.modules[f"{EXTENSION}.plant_dynamics_addon.panels"].CLASSES
    return [panel.__name__.partition("_PT_")[2] for panel in classes]


def panel(name: str) -> Iterator[float]:
    """The sidebar with this panel of the active plant, where nobody has folded it; returns its pixels."""
    show_only(("plant", name))
    window().workspace = bpy.data.workspaces["Modeling"]
    yield 0.5
    with in_view():
        bpy.ops.object.mode_set(mode="OBJECT")  # this workspace begins in another
    space = area().spaces.active
    space.show_region_ui, space.overlay.show_overlays = True, False
    space.shading.background_type = "THEME"
    look_at(50.0, 1.0)
    yield from open_tab()
    yield 1.0
    return sidebar()


def look_at(height: float, width: float, aside: float = 0.0, turn: float = 25.0, tilt: float = 12.0) -> None:
    """See about `width` metres around the point at this height; `aside` moves the subject to the left (m)."""
    view = area().spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((np.radians(90.0 - tilt), 0.0, np.radians(turn))).to_quaternion()
    view.view_location = Vector((0.0, 0.0, height)) + view.view_rotation @ Vector((aside, 0.0, 0.0))
    view.view_distance = 1.4 * width


def plain_view(contacts: bool = False) -> None:
    """Only the plant on a light ground, for rows of stills; with its contacts, if it shows them."""
    space = area().spaces.active
    space.show_region_ui = False
    overlay = space.overlay
    overlay.show_overlays = contacts
    for name in OVERLAYS:
        setattr(overlay, name, not contacts)
    space.shading.background_type = "VIEWPORT"
    space.shading.background_color = (0.83, 0.85, 0.84)
    space.shading.show_cavity = True


def stills(
    frames: Sequence[int], size: tuple[int, int], left: float, right: float, bottom: float, turn: float = 25.0
) -> Iterator[float]:
    """Photographs of these frames side by side, each of `size` pixels; returns the pixels.

    They show what lies between left and right of the world's z axis (m), and from `bottom` up.
    """
    width, height = size
    seen = right - left  # m
    look_at(bottom + 0.5 * seen * height / width, 1.0, aside=0.5 * (left + right), turn=turn, tilt=6.0)
    area().spaces.active.region_3d.view_distance = 904.0 * seen / width  # of a lens of 50 mm in 1322 pixels
    shots = []
    for frame in frames:
        with in_view():
            window().scene.frame_set(frame)
        yield 0.3
        pixels = photograph(area())
        y, x = (pixels.shape[0] - height) // 2, (pixels.shape[1] - width) // 2
        shots.append(pixels[y : y + height, x : x + width])
    return beside(shots)


def grow(preset: str, breeze: bool = False, **options) -> bpy.types.Object:
    """Grow a preset as the panel does, which lets a breeze blow."""
    settings = window().scene.plant_dynamics
    settings.source, settings.preset, settings.pot, settings.seed, settings.steps = "PRESET", preset, False, 0, 0
    for name, value in options.items():
        setattr(settings, name, value)
    run("grow", breeze=breeze)
    return bpy.context.view_layer.objects.active


def key(target: bpy.types.bpy_struct, path: str, values: dict[int, object]) -> None:
    """Keyframes of a property: frame -> value."""
    for frame, value in values.items():
        setattr(target, path, value)
        target.keyframe_insert(path, frame=frame)


def simulate(frame: int) -> None:
    """Press Play, pause, and show a frame."""
    run("play")
    with in_view():
        bpy.ops.screen.animation_cancel(restore_frame=False)
        window().scene.frame_set(frame)


def chain_armature() -> bpy.types.Object:
    """What an animator might have: a chain of bones that bends to one side."""
    with in_view():
        bpy.ops.object.armature_add(location=(0.0, 0.0, 0.0))
        chain = bpy.context.view_layer.objects.active
        chain.name = chain.data.name = "Vine"
        bpy.ops.object.mode_set(mode="EDIT")
        bones = chain.data.edit_bones
        bones[0].name, bones[0].tail = "Vine.001", (0.0, 0.0, 0.1)
        for number in range(2, 9):
            above, below = bones.new(f"Vine.{number:03d}"), bones[-2]
            above.parent, above.use_connect = below, True
            angle = 0.09 * number
            above.tail = below.tail + 0.1 * Vector((np.sin(angle), 0.0, np.cos(angle)))
        for bone in bones:
            bone.head_radius = bone.tail_radius = 0.008
        bpy.ops.object.mode_set(mode="OBJECT")
    chain.data.display_type = "ENVELOPE"
    return chain
