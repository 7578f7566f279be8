# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake and Clear Bake."""

from collections.abc import Generator

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, EnumProperty
from bpy.types import Context, Event, Operator

from ...baking.bake import Baked, BakeOptions, bake, clear_bake, is_edited
from ...baking.record import finding_edits
from ...blender.meanwhile import part
from ...blender.timeline import show_again
from ...dynamics.live.at_work import poll_idle
from ...dynamics.live.rendering import blur_reach
from ...errors import PlantError
from ...plants import active_plant, dynamic_objects
from ...properties.bake import BAKE_CHOICES, BakeChoices
from ..common import described, needs, poll_plant, reports_errors
from ..slow_work import SlowWork

_HOW = [
    ("REFUSE", "Ask", "Do not bake; in a window ask what to do"),
    ("REPLACE", "Replace Them", "The edited keys are overwritten"),
    ("KEEP", "Keep a Copy", "A copy of the action with the edited keys stays in the file"),
]


def poll_plants(cls: type[Operator], context: Context) -> bool:
    """Poll: there is a plant in the scene, nothing is in Edit Mode, and nothing is at work."""
    if not poll_idle(cls):
        return False
    if not dynamic_objects(context.scene):
        return poll_plant(cls, context)
    return needs(cls, not context.mode.startswith("EDIT"), "Leave Edit Mode first")


def plants_of(context: Context, which: str) -> list[bpy.types.Object]:
    """The active plant, the plants that are selected or have a selected part, or all. Raises PlantError."""
    plants = dynamic_objects(context.scene)
    if which == "ACTIVE":
        active = active_plant(context)
        if active is None:
            raise PlantError("The active object is no plant: select one, or choose other Plants")
        return [active]
    if which == "SELECTED":
        chosen = set()
        for obj in context.selected_objects:
            above = obj
            while above is not None:
                chosen.add(above)
                above = above.parent
        plants = [obj for obj in plants if obj in chosen]
        if not plants:
            raise PlantError("No plant is selected")
    return plants


def _choices(operator: Operator) -> dict[str, object]:
    return {name: getattr(operator, name) for name in BAKE_CHOICES}


class PLANT_DYNAMICS_OT_bake(SlowWork, BakeChoices, Operator):
    """Write the motion to keyframes of the bones. Esc stops and leaves all as it was"""

    bl_idname = "plant_dynamics.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    use_scene_range: BoolProperty(
        name="Scene Range", description="Without it the range is custom, whatever Range says", default=True,
        options={"HIDDEN", "SKIP_SAVE"},
    )  # fmt: skip
    edited: EnumProperty(
        name="Edited Keys", description="What to do with baked keys that have been edited since", items=_HOW,
        default="REFUSE", options={"HIDDEN", "SKIP_SAVE"},
    )  # fmt: skip

    poll = classmethod(poll_plants)

    doing, given_up = "Baking", "Bake cancelled, nothing was changed"

    result: list[Baked]

    def draw(self, context: Context) -> None:
        self.layout.use_property_split = True
        draw_choices(self.layout, self)

    def _options(self, context: Context) -> BakeOptions:
        scene = context.scene
        first, last = scene.frame_start, scene.frame_end
        if self.frame_range == "CUSTOM" or not self.use_scene_range:
            first, last = self.frame_start, self.frame_end
        elif self.frame_range == "PREVIEW" and scene.use_preview_range:
            first, last = scene.frame_preview_start, scene.frame_preview_end
        if self.use_scene_range and self.frame_range != "CUSTOM" and not self.use_loop:
            last += blur_reach(scene)  # the last picture's blur looks behind its frame
        return BakeOptions(
            first, last, self.target, self.step,
            max_error=self.max_error if self.use_decimation else 0.0,
            loop_frames=self.loop_frames if self.use_loop else 0,
            part_only=self.part_only, edited=self.edited, allow_stopped=self.allow_stopped,
        )  # fmt: skip

    def work(self, context: Context) -> Generator[float, None, list[Baked]]:
        return bake(context, plants_of(context, self.plants), self._options(context))

    @reports_errors
    def invoke(self, context: Context, event: Event) -> set[str]:
        if self.edited == "REFUSE" and any(is_edited(obj) for obj in plants_of(context, self.plants)):
            bpy.ops.plant_dynamics.bake_edited("INVOKE_DEFAULT", **_choices(self))
            return {"CANCELLED"}
        return super().invoke(context, event)

    def finished(self, context: Context) -> set[str]:
        bones, keys = sum(one.bones for one in self.result), max(one.keys_each for one in self.result)
        things = sum(one.things for one in self.result)
        also = rpt_("; moved objects keyed: {things}").format(things=things) if things else ""
        counts = {"bones": bones, "keys": f"{keys:.0f}", "also": also}
        if len(self.result) > 1:
            text = rpt_("Baked {bones} bones of {count} plants, {keys} keys each{also}. The space bar plays it")
            self.report({"INFO"}, text.format(count=len(self.result), **counts))
            return {"FINISHED"}
        baked = self.result[0]
        if _choose(context, context.scene.objects[baked.plant]):
            text = rpt_("Baked {bones} bones to '{action}', {keys} keys each{also}. The space bar plays it")
        else:
            text = rpt_("Baked {bones} bones to '{action}', {keys} keys each{also}. The space bar plays it; select "
                        "'{plant}' to see the keys")  # fmt: skip
        self.report({"INFO"}, text.format(action=baked.action, plant=baked.plant, **counts))
        return {"FINISHED"}


def _choose(context: Context, plant: bpy.types.Object) -> bool:
    """Make the plant active, whose keys the animation editors show then, where nothing but a part of it or a handle is
    chosen. Whether it is."""
    active, layer = context.object, context.view_layer
    if active == plant and plant.select_get():
        return True
    is_own = active is not None and (
        active.parent == plant or any(load.target == active for load in plant.plant_dynamics.loads)
    )
    if not is_own or active.mode != "OBJECT" or set(context.selected_objects) - {active, plant}:
        return False
    if not plant.visible_get() or plant.hide_select:
        return False
    active.select_set(False)
    plant.select_set(True)
    layer.objects.active = plant
    return True


class PLANT_DYNAMICS_OT_bake_edited(BakeChoices, Operator):
    """Bake again where the baked keys have been edited"""

    bl_idname = "plant_dynamics.bake_edited"
    bl_label = "Baked Keys Were Edited"
    bl_options = {"INTERNAL"}

    how: EnumProperty(name="Edited Keys", items=_HOW[1:], default="KEEP", options={"SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> set[str]:
        context.window_manager.invoke_props_dialog(self, width=340)
        return {"RUNNING_MODAL"}

    def draw(self, context: Context) -> None:
        names = [obj.name for obj in plants_of(context, self.plants) if obj.plant_dynamics.is_baked]
        text = iface_("Keys of {names} have been edited since the bake").format(names=", ".join(names[:3]))
        self.layout.label(text=text, translate=False, icon="ERROR")
        self.layout.prop(self, "how", expand=True)

    def execute(self, context: Context) -> set[str]:
        bpy.ops.plant_dynamics.bake("INVOKE_DEFAULT", edited=self.how, **_choices(self))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_clear_bake(SlowWork, Operator):
    """Remove the baked keys and go back to the animation and the pose from before the bake"""

    bl_idname = "plant_dynamics.clear_bake"
    bl_label = "Clear Bake"
    bl_options = {"REGISTER", "UNDO"}

    plants: EnumProperty(
        name="Plants",
        description="Whose bakes are taken away",
        items=[
            ("ACTIVE", "Active", "The bake of the active plant"),
            ("SELECTED", "Selected", "The bakes of all selected plants"),
            ("SCENE", "All", "The bakes of all plants of the scene"),
        ],
        default="ACTIVE",
    )

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "plants")

    @classmethod
    def poll(cls, context: Context) -> bool:
        is_baked = any(obj.plant_dynamics.is_baked for obj in dynamic_objects(context.scene))
        return poll_plants(cls, context) and needs(cls, is_baked, "No plant is baked")

    doing, given_up = "Clearing", "Clear Bake cancelled, nothing was changed"
    uses_solver = False

    result: list[str]

    def work(self, context: Context) -> Generator[float, None, list[str]]:
        baked = [obj for obj in plants_of(context, self.plants) if obj.plant_dynamics.is_baked]
        if not baked:
            raise PlantError("The plant is not baked" if self.plants == "ACTIVE" else "None of the plants is baked")
        edited = []
        for done, obj in enumerate(baked):
            if not obj.plant_dynamics.bake_fingerprint:
                continue
            steps = part(finding_edits(obj), 0.9 * done / len(baked), 0.9 * (done + 1) / len(baked))
            if (yield from steps):
                edited.append(obj.name)
        for obj in baked:
            yield 1.0
            clear_bake(obj)
        return edited

    def finished(self, context: Context) -> set[str]:
        show_again(context.scene)
        if self.result:
            text = rpt_("The keys of {names} had been edited; Undo brings them back")
            self.report({"WARNING"}, text.format(names=", ".join(self.result)))
        return {"FINISHED"}


def draw_choices(layout: bpy.types.UILayout, choices: bpy.types.bpy_struct) -> None:
    """The settings of a bake, of the scene or of the operator."""
    layout.prop(choices, "plants")
    layout.prop(choices, "target")
    column = layout.column(align=True)
    column.prop(choices, "frame_range")
    if choices.frame_range == "CUSTOM":
        column.prop(choices, "frame_start")
        column.prop(choices, "frame_end", text="Last")
    column.prop(choices, "step")
    layout.prop(choices, "part_only")
    for use, value in (("use_decimation", "max_error"), ("use_loop", "loop_frames")):
        layout.prop(choices, use)
        row = layout.row()
        row.active = getattr(choices, use)
        row.prop(choices, value)
    layout.prop(choices, "allow_stopped")
