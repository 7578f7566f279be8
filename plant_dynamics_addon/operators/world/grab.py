# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag branches with the mouse while the scene plays."""

from dataclasses import replace

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Area, Context, Event, Operator, Region
from bpy_extras.view3d_utils import region_2d_to_location_3d
from mathutils import Vector

from ...blender.redraw import redraw_views
from ...changes import inputs_changed
from ...dynamics.live.at_work import poll_idle
from ...dynamics.live.grab_handles import keep_as_handles
from ...dynamics.live.live import is_live
from ...dynamics.motion.session import Session
from ...dynamics.motion.sessions import forget_grabs, session_of
from ...dynamics.surroundings.grabs import nearest_on_lines
from ...dynamics.surroundings.samples import Pull
from ...plants import dynamic_objects
from ...viewport import grab_line
from ..common import needs

#: A branch this far from the mouse (pixels at a scale of 1) can still be taken.
_REACH = 40.0

#: No mouse gets so far (pixels).
_FAR = 1e7

_STATUS = "Drag a branch with the left mouse button   |   Enter: keep it as a keyed handle   |   Esc: end, as before"


class PLANT_DYNAMICS_OT_grab(Operator):
    """Drag branches with the mouse while the plants play. Enter keeps what you did as keyed pull handles, Esc ends"""

    bl_idname = "plant_dynamics.grab"
    bl_label = "Grab"
    bl_options = {"REGISTER", "UNDO"}

    _running = False
    _timer: bpy.types.Timer | None = None

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_idle(cls) and needs(
            cls, _held_plants(context), "Press Play first: only plants in motion can be grabbed"
        )

    def invoke(self, context: Context, event: Event) -> set[str]:
        if self._running:
            self.report({"INFO"}, "Drag a branch in the 3D View; Esc ends")
            return {"CANCELLED"}
        if not context.screen.is_animation_playing:
            bpy.ops.screen.animation_play()
        PLANT_DYNAMICS_OT_grab._running = True
        self._plant = ""
        context.window_manager.modal_handler_add(self)
        self._timer = context.window_manager.event_timer_add(0.5, window=context.window)
        context.workspace.status_text_set(_STATUS)
        grab_line.begin()
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        pressed = event.type if event.value == "PRESS" else ""  # a release may be a menu's or a field's
        if pressed == "ESC" or not _held_plants(context):
            return self._end(context, keep=False)
        if pressed in {"RET", "NUMPAD_ENTER"}:
            return self._end(context, keep=True)
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            return {"RUNNING_MODAL"} if self._take(context, event) else {"PASS_THROUGH"}
        session = self._session(context)
        held = session.recording.grabs.held if session is not None else None
        if held is None:
            return {"PASS_THROUGH"}
        if event.type == "LEFTMOUSE" and event.value == "RELEASE":
            session.recording.grabs.let_go()
            grab_line.show(None)
            return {"RUNNING_MODAL"}
        if event.type == "MOUSEMOVE":
            self._drag(context, event, session, held)
            return {"RUNNING_MODAL"}
        return {"PASS_THROUGH"}

    def cancel(self, context: Context) -> None:
        """Blender calls this when the file is left."""
        self._end(context, keep=False)

    def _session(self, context: Context) -> Session | None:
        obj = context.scene.objects.get(self._plant)
        return session_of(obj) if obj is not None else None

    def _take(self, context: Context, event: Event) -> bool:
        """Hold the branch under the mouse, if there is one."""
        found = _view_under(context, event)
        if found is None:
            return False
        area, region, mouse = found
        best: tuple[float, bpy.types.Object, int, float] | None = None
        for obj in _held_plants(context):
            session = session_of(obj)
            heads, tails = _bones_in_view(obj, session, area, region)
            bone, along, apart = nearest_on_lines(heads, tails, np.array(mouse))
            if best is None or apart < best[0]:
                best = apart, obj, bone, along
        if best is None or best[0] > _REACH * context.preferences.system.ui_scale:
            return False
        _, obj, rod, along = best
        session, matrix = session_of(obj), obj.matrix_world
        pose = obj.pose.bones[session.plant.bones[rod]]
        place = matrix @ pose.head.lerp(pose.tail, along)
        self._plant, self._area, self._region = obj.name, area, region
        self._depth, self._offset = place, place - _under(area, region, mouse, place)
        grab = Pull(rod, along, tuple(place), session.plant.handle_stiffness(rod))
        session.hold(grab, context.scene.frame_current)
        return True

    def _drag(self, context: Context, event: Event, session: Session, held: Pull) -> None:
        mouse = event.mouse_x - self._region.x, event.mouse_y - self._region.y
        target = _under(self._area, self._region, mouse, self._depth) + self._offset
        session.recording.grabs.held = replace(held, target=tuple(target))
        obj = context.scene.objects[self._plant]
        pose = obj.pose.bones[session.plant.bones[held.rod]]
        grab_line.show((obj.matrix_world @ pose.head.lerp(pose.tail, held.along), target))
        self._area.tag_redraw()

    def _end(self, context: Context, keep: bool) -> set[str]:
        PLANT_DYNAMICS_OT_grab._running = False
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        grab_line.end()
        kept = 0
        for obj in _held_plants(context):
            session = session_of(obj)
            session.recording.grabs.let_go()
            if keep:
                kept += len(keep_as_handles(obj, session))
            inputs_changed(obj)
        forget_grabs()
        redraw_views()
        if keep and kept:
            text = rpt_("Kept as {count} keyed handle in the list of loads")
            if kept > 1:
                text = rpt_("Kept as {count} keyed handles in the list of loads")
            self.report({"INFO"}, text.format(count=kept))
        return {"FINISHED"} if kept else {"CANCELLED"}


def _held_plants(context: Context) -> list[bpy.types.Object]:
    """The plants that follow the simulation and can be drawn at."""
    return [
        obj for obj in dynamic_objects(context.scene)
        if is_live(obj) and not obj.plant_dynamics.is_baked and session_of(obj) is not None
    ]  # fmt: skip


def _view_under(context: Context, event: Event) -> tuple[Area, Region, tuple[int, int]] | None:
    """The 3D view under the mouse and the mouse in its region; None where a header or sidebar covers it."""
    for area in context.window.screen.areas:
        if area.type != "VIEW_3D":
            continue
        under = [region for region in area.regions if _covers(region, event)]
        if under and all(region.type == "WINDOW" for region in under):
            region = under[0]
            return area, region, (event.mouse_x - region.x, event.mouse_y - region.y)
    return None


def _covers(region: Region, event: Event) -> bool:
    x, y = event.mouse_x - region.x, event.mouse_y - region.y
    return 0 <= x < region.width and 0 <= y < region.height


def _bones_in_view(
    obj: bpy.types.Object, session: Session, area: Area, region: Region
) -> tuple[np.ndarray, np.ndarray]:
    """(m, 2) pixels: heads and tails of the simulated bones, far away behind the view."""
    poses = [obj.pose.bones[name] for name in session.plant.bones]
    project = np.array(area.spaces.active.region_3d.perspective_matrix @ obj.matrix_world)
    ends = []
    for points in ([pose.head for pose in poses], [pose.tail for pose in poses]):
        clip = np.column_stack([np.array(points), np.ones(len(points))]) @ project.T
        in_front = clip[:, 3:] > 1e-6
        flat = clip[:, :2] / np.where(in_front, clip[:, 3:], 1.0)
        pixels = (0.5 + 0.5 * flat) * (region.width, region.height)
        ends.append(np.where(in_front, pixels, _FAR))
    return ends[0], ends[1]


def _under(area: Area, region: Region, mouse: tuple[int, int], depth: Vector) -> Vector:
    """The point under the mouse as far away as another."""
    return region_2d_to_location_3d(region, area.spaces.active.region_3d, mouse, depth)
