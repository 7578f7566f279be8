# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by test_window.py inside a Blender with a window: edit, jump, undo and bake as a user does, in a seeded order.

blender --factory-startup --enable-event-simulate --python window_session.py -- RESULT_FILE
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import addon_utils
import bpy

RESULT = Path(sys.argv[-1])
ACTIONS = 150


def window_override() -> object:
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    return bpy.context.temp_override(window=window, area=area)


def is_playing() -> bool:
    return any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)


def play(name: str) -> Iterator[float]:
    """Press Play, and wait until the plant does."""
    bpy.ops.plant_dynamics.play("INVOKE_DEFAULT")
    while not (bpy.data.objects[name].plant_dynamics.live and is_playing()):
        yield 0.5


def session() -> Iterator[float]:
    """Does one thing, then waits for the yielded seconds, and so on."""
    bpy.ops.plant_dynamics.grow()
    name = bpy.context.object.name
    for frame, value in ((80, 1.0), (110, 0.05)):
        bpy.data.objects[name].plant_dynamics.stiffness_factor = value
        bpy.data.objects[name].keyframe_insert("plant_dynamics.stiffness_factor", frame=frame)
    bpy.ops.ed.undo_push(message="grown")
    yield from play(name)
    bpy.ops.ed.undo()
    yield 1.0
    assert not bpy.data.objects[name].plant_dynamics.live
    assert not is_playing(), "with Play undone the timeline played on"
    yield from play(name)
    chance = random.Random(1)
    for _ in range(ACTIONS):
        plant = bpy.data.objects[name]  # undo replaces all data
        kind = chance.randrange(6)
        if kind == 0:
            bpy.context.scene.frame_set(chance.randrange(1, 200))
        elif kind == 1:
            plant.plant_dynamics.gravity_factor = chance.choice([0.5, 1.0, 2.0, -1.0])
        elif kind == 2:
            plant.location.x = chance.random()
            plant.keyframe_insert("location", frame=chance.randrange(1, 200))
        elif kind == 3:
            bpy.ops.ed.undo_push(message="before")
            plant.plant_dynamics.gravity_factor = 1.5
            bpy.ops.ed.undo_push(message="after")
            bpy.ops.ed.undo()
        elif kind == 4:
            bpy.context.scene.frame_current = chance.randrange(1, 200)
        else:
            bpy.ops.screen.animation_play()
        yield 0.05
    plant = bpy.data.objects[name]
    action = plant.animation_data.action.name
    bpy.ops.plant_dynamics.bake("INVOKE_DEFAULT", use_scene_range=False, frame_start=1, frame_end=20000)
    yield 1.0
    for value in ("PRESS", "RELEASE"):
        bpy.context.window_manager.windows[0].event_simulate(type="ESC", value=value)
    yield 1.0
    plant = bpy.data.objects[name]
    assert not plant.plant_dynamics.is_baked, "Esc did not stop the bake"
    assert plant.animation_data.action.name == action
    assert plant.plant_dynamics.live
    bpy.context.scene.frame_set(1)
    bpy.ops.plant_dynamics.bake("INVOKE_DEFAULT")
    while not bpy.data.objects[name].plant_dynamics.is_baked:
        yield 0.5


def main() -> None:
    assert addon_utils.enable("bl_ext.user_default.plant_dynamics", default_set=True)
    steps = session()

    def go_on() -> float | None:
        try:
            with window_override():
                return next(steps)
        except StopIteration:
            RESULT.write_text("finished", encoding="utf-8")
        except (AssertionError, AttributeError, KeyError, ReferenceError, RuntimeError) as error:
            RESULT.write_text(repr(error), encoding="utf-8")
        bpy.ops.wm.quit_blender()
        return None

    bpy.app.timers.register(go_on, first_interval=1.0)


main()
