# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the documentation's pictures in Blender's own window.

    blender --factory-startup --window-geometry 0 0 1600 900 --python tools/screenshots.py -- docs/pictures [NAME ...]

Blender quits when all pictures are taken. With names, only the scenes of these names are played (see SCENES). If the
extension is not installed, this folder is linked into the user's extensions, so start with a fresh user folder
(BLENDER_USER_RESOURCES) to leave your own settings alone. On a virtual screen with software OpenGL, ImageMagick's
`import` is needed.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import addon_utils
import bpy
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blender_window import (
    EXTENSION,
    Scene,
    all_panels,
    area,
    back_to_layout,
    chain_armature,
    grow,
    in_view,
    key,
    look_at,
    new_scene,
    panel,
    photograph,
    plain_view,
    reopen_sidebar,
    run,
    show_only,
    sidebar,
    simulate,
    split,
    stills,
    window,
)
from picture_files import Pixels, beside, write_png

REPOSITORY = Path(__file__).resolve().parent.parent

out = Path()


def save(name: str, pixels: Pixels) -> None:
    write_png(out / f"{name}.png", pixels)
    print(f"{name}.png: {pixels.shape[1]} x {pixels.shape[0]}, {(out / f'{name}.png').stat().st_size // 1000} kB")


def quick_start() -> Scene:
    """Grow, play, pull, bake."""
    yield from new_scene()
    look_at(0.22, 0.95, aside=0.12)
    plant = grow("broad_leaf", pot=True, breeze=True)
    yield 1.0
    save("grow", photograph(area()))

    simulate(24)
    yield 0.6
    save("play", photograph())

    run("reset")
    run("add_pull")
    handle = plant.plant_dynamics.loads[0].target
    place = handle.location.copy()
    key(handle, "location", {1: place, 30: place + Vector((0.2, -0.12, -0.08))})
    key(plant.plant_dynamics.loads[0], "influence", {36: 1.0, 37: 0.0})
    simulate(36)
    yield 0.6
    save("pull", photograph(area()))

    run("reset")
    with in_view():
        bpy.context.view_layer.objects.active = plant
    run("bake")
    with in_view():
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="DESELECT")
        for name in ("Stem.003", "Stem.008", "Leaf.004"):
            bone = plant.pose.bones[name]
            (bone if hasattr(bone, "select") else bone.bone).select = True  # moved in Blender 5.0
        handle.select_set(False)
        window().scene.frame_set(44)
    graph = yield from split("GRAPH_EDITOR", "HORIZONTAL", 0.42)
    graph.spaces.active.show_region_ui = False
    yield 0.5
    inside = next(r for r in graph.regions if r.type == "WINDOW")
    with bpy.context.temp_override(window=window(), screen=window().screen, area=graph, region=inside):
        for curve in bpy.context.visible_fcurves:
            curve.hide = curve.array_index == 0  # w is close to 1
        bpy.ops.graph.view_all()
    look_at(0.24, 1.3, aside=0.12)
    yield 1.0
    view = area()
    pixels = photograph()
    save("bake", pixels[-view.y - view.height :, : view.width])
    with in_view():
        bpy.ops.object.mode_set(mode="OBJECT")
    yield from back_to_layout()


#: Panels of the sidebar that are shown on one picture, besides Dynamics.
PANELS = {
    "panel_grown": ("loads",),
    "panel_material": ("material", "damping", "limits"),
    "panel_wind": ("wind", "gusts", "medium", "drag"),
    "panel_force_fields": ("force_fields",),
    "panel_accuracy": ("accuracy",),
    "panel_bones": ("bones", "active_bone"),
    "panel_bake": ("bake", "bake_options"),
    "panel_cache": ("cache",),
    "panel_compare": ("compare", "compare_picture", "compare_output"),
}


def panels() -> Scene:
    """The sidebar's panels, and the bone's."""
    yield from new_scene()
    area().spaces.active.overlay.show_overlays = False
    yield 0.5
    save("panel_grow", sidebar())
    show_only(("plant",))
    window().workspace = bpy.data.workspaces["Modeling"]  # where nobody has folded them yet
    yield 1.0

    yield from new_scene(60)
    area().spaces.active.overlay.show_overlays = False
    plant = grow("broad_leaf", breeze=True)
    run("add_pull")
    look_at(5.0, 1.0)
    with in_view():
        plant.select_set(True)
        bpy.context.view_layer.objects.active = plant
    plant.data.bones.active = plant.data.bones["Stem.003"]
    simulate(24)
    for name, shown in PANELS.items():
        with in_view():
            bpy.ops.object.mode_set(mode="POSE" if name == "panel_bones" else "OBJECT")
        show_only(("plant", *shown))
        yield 1.0
        save(name, sidebar())
    run("reset")
    show_only(("plant", "bone"))
    properties = area("PROPERTIES")
    properties.spaces.active.context = "BONE"
    yield 1.0
    save("panel_bone", photograph(properties))

    yield from new_scene()
    area().spaces.active.overlay.show_overlays = False
    show_only(("plant", "material", "damping"))
    chain_armature()
    run("make_dynamic")
    yield 0.8
    save("panel_own", sidebar())
    yield from back_to_layout()


def grow_around() -> Scene:
    yield from new_scene()
    bpy.ops.mesh.primitive_cube_add(size=0.4)
    bpy.context.object.name = "Wall"
    grow = window().scene.plant_dynamics
    grow.preset, grow.grows_around, grow.around_object = "wall_climber", "OBJECT", bpy.context.object
    yield from reopen_sidebar()
    save("panel_grow_around", sidebar())


def text() -> Scene:
    """An L-system in the Text Editor beside the plant that grows from it."""
    yield from new_scene()
    window().scene.plant_dynamics.preset = "rose"
    run("preset_to_text")
    look_at(0.22, 0.8, aside=0.05)
    run("grow")
    window().scene.plant_dynamics.pot = False
    editor = yield from split("TEXT_EDITOR", "VERTICAL", 0.45)
    space = editor.spaces.active
    space.text = window().scene.plant_dynamics.text
    space.font_size, space.top = 11, 0
    yield 1.0
    save("text", beside([photograph(editor), photograph(area())], gap=2))
    yield from back_to_layout()


def motions() -> Scene:
    """Rows of stills: pull and release, a pushed pot, wilting, a twist, an own armature."""
    yield from new_scene(100)
    plant = grow("broad_leaf", pot=True)
    plain_view()
    run("add_pull")
    handle = plant.plant_dynamics.loads[0].target
    place = handle.location.copy()
    key(handle, "location", {1: place, 30: place + Vector((0.2, 0.06, -0.1))})
    key(plant.plant_dynamics.loads[0], "influence", {36: 1.0, 37: 0.0})
    simulate(1)
    save("row_release", (yield from stills((1, 36, 40, 44, 48, 100), (260, 340), -0.22, 0.28, -0.02)))

    yield from new_scene(60)
    plant = grow("potted_plant", pot=True)
    plain_view()
    key(plant, "location", {1: Vector((-0.14, 0.0, plant.location.z)), 6: Vector((0.14, 0.0, plant.location.z))})
    simulate(1)
    save("row_pot", (yield from stills((1, 4, 6, 8, 11, 60), (270, 220), -0.34, 0.34, -0.02, turn=0.0)))

    yield from new_scene(150)
    plant = grow("rose")
    plain_view()
    key(plant.plant_dynamics, "stiffness_factor", {1: 1.0, 120: 0.05})
    simulate(1)
    save("row_wilt", (yield from stills((1, 80, 94, 104, 150), (320, 330), -0.2, 0.52, -0.21)))

    yield from new_scene(60)
    plant = grow("twist_inflorescence")
    plain_view()
    plant.data.bones.active = plant.data.bones["Stem.020"]
    run("add_twist")
    key(plant.plant_dynamics.loads[0], "influence", {1: 0.0, 48: 1.0})
    simulate(1)
    save("row_twist", (yield from stills((1, 20, 28, 36, 48), (320, 260), -0.43, 0.43, -0.04)))

    yield from new_scene(60)
    chain = chain_armature()
    chain.data.display_type = "ENVELOPE"
    run("make_dynamic")
    chain.plant_dynamics.start = "drawn"
    chain.plant_dynamics.young_modulus = 50.0
    plain_view()
    overlay = area().spaces.active.overlay
    overlay.show_overlays = True
    overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False
    overlay.show_text = overlay.show_cursor = overlay.show_object_origins = False
    simulate(1)
    save("row_own", (yield from stills((1, 6, 11, 16, 21, 60), (270, 310), -0.07, 0.73, -0.03, turn=0.0)))


#: Bright, for what faces up is dark in Solid view.
TABLE = (0.9, 0.55, 0.33)


def flutter() -> Scene:
    """A row of stills, a twelfth of a second apart, of leaves in a wind of 5 m/s."""
    yield from new_scene(60)
    wind = window().scene.plant_dynamics.wind
    wind.source, wind.speed = "GUSTS", 5.0
    grow("broad_leaf", pot=True)
    plain_view()
    simulate(1)
    save("row_flutter", (yield from stills((36, 38, 40, 42, 44, 46), (260, 340), -0.21, 0.33, -0.02, turn=0.0)))


def contact() -> Scene:
    """What plants touch, what they move, and what breaks: drawn contact points, rows of stills, and panels."""
    import demo_contact_cases as acts  # needs the extension

    yield from new_scene(84)
    plant = grow("rose", pot=True)
    with in_view():
        acts.wilt_onto_the_table(plant)
    acts.paint(bpy.data.objects["Ground"], "Table", TABLE)
    plant.plant_dynamics.contact.show_in_viewport = True
    plain_view(contacts=True)
    simulate(1)
    save("contacts", (yield from stills((84,), (840, 400), -0.13, 0.42, -0.02, turn=18.0)))

    yield from new_scene(72)
    plant = grow("broad_leaf", pot=True)
    with in_view():
        acts.stand_on_table(plant)
    acts.paint(bpy.data.objects["Ground"], "Table", TABLE)
    with in_view():
        acts.drop_apple(plant, (0.045, -0.02, 0.57))
    plain_view()
    simulate(1)
    save("row_apple", (yield from stills((1, 6, 8, 10, 12, 15), (260, 290), -0.24, 0.38, -0.02)))
    save("panel_contact", (yield from panel("contact")))
    yield from back_to_layout()

    yield from new_scene(60)
    plant = grow("young_oak")
    with in_view():
        acts.break_a_branch(plant)
    simulate(60)
    save("panel_breaking", (yield from panel("breaking")))
    yield from back_to_layout()


def guides() -> Scene:
    """The panels of a garland, one of whose nails is too far away."""
    yield from new_scene(48)
    vine = chain_armature()
    run("make_dynamic")
    vine.plant_dynamics.stiffness_factor = 1e-3
    run("guide_shoot", arrangement="GARLAND", slack=0.3)
    vine.data.bones.active = vine.data.bones["Vine.004"]
    run("add_hold")
    vine.plant_dynamics.loads[1].target.location.x += 0.2
    with in_view():
        bpy.context.view_layer.objects.active = vine
    simulate(12)
    look_at(50.0, 1.0)
    area().spaces.active.overlay.show_overlays = False
    for name, shown in (("panel_guides", ("plant", "loads")), ("panel_giving_way", ("trouble", "plant"))):
        show_only(shown)
        yield 1.0
        save(name, sidebar())


def install() -> Scene:
    """The preferences: the extension enabled, and the menu that installs a zip file."""
    with in_view():
        bpy.ops.screen.userpref_show()
    yield 1.5
    other = bpy.context.window_manager.windows[-1]
    preferences = next(a for a in other.screen.areas if a.type == "PREFERENCES")
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "plant"
    yield 1.5
    save("install_enabled", photograph(on=other)[:320])
    bpy.context.preferences.active_section = "EXTENSIONS"
    yield 1.5
    inside = next(r for r in preferences.regions if r.type == "WINDOW")
    x, y = other.width - 130, other.height - 60
    other.cursor_warp(x, y)
    yield 0.5
    with bpy.context.temp_override(window=other, area=preferences, region=inside):
        bpy.ops.wm.call_menu(name="USERPREF_MT_extensions_settings")
    yield 0.3
    other.cursor_warp(x, y - 98)  # onto the last item
    yield 0.4
    save("install_menu", photograph(on=other)[:430])


SCENES: dict[str, Callable[[], Scene]] = {
    "quick_start": quick_start,
    "panels": panels,
    "grow_around": grow_around,
    "text": text,
    "motions": motions,
    "flutter": flutter,
    "contact": contact,
    "guides": guides,
    "install": install,
}


def enable_extension() -> None:
    folder = Path(bpy.utils.user_resource("EXTENSIONS", path="user_default", create=True)) / "plant_dynamics"
    if not folder.exists():
        folder.symlink_to(REPOSITORY)
    bpy.ops.extensions.repo_refresh_all()
    if addon_utils.enable(EXTENSION, default_set=True) is None:
        raise RuntimeError(f"{EXTENSION} cannot be enabled; its error is printed above")


def all_scenes(names: Sequence[str]) -> Scene:
    enable_extension()
    yield 1.0
    for name in names:
        print(name, flush=True)
        yield from SCENES[name]()
        show_only(all_panels())
        yield 0.5


def main() -> None:
    global out
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    out = Path(arguments[0] if arguments else "docs/pictures").resolve()
    out.mkdir(parents=True, exist_ok=True)
    scenes = all_scenes(arguments[1:] or list(SCENES))

    bpy.context.preferences.view.show_splash = False  # before the window is first drawn

    def step() -> float | None:
        finished = True  # also after an error, which Blender prints
        try:
            wait = next(scenes, None)
            finished = wait is None
            return wait
        finally:
            if finished:
                bpy.ops.wm.quit_blender()

    bpy.app.timers.register(step, first_interval=1.0)


if __name__ == "__main__":
    main()
