# SPDX-License-Identifier: GPL-3.0-or-later
"""What was refused, has gone wrong or is to be known of a plant, with the buttons that mend it."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, UILayout

from ..dynamics.live.live import problem_of, trouble_of
from ..dynamics.live.refusals import refusal_of
from ..dynamics.motion.giving_way import GivenWay, given_way
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.ties import differ_though_tied
from ..dynamics.rig.armature_reader import GUIDES, is_evenly_scaled
from ..dynamics.surroundings.loads.guiding import holder_of
from ..dynamics.surroundings.loads.kinds import LOADS
from ..errors import Fix
from ..operators.fixes import mending
from ..relations import differing
from ..rigging.warnings import named, rig_warnings
from .base import message


def draw_buttons(layout: UILayout, obj: bpy.types.Object, fix: Fix | None) -> None:
    """The buttons that mend it, side by side."""
    row = layout.row(align=True)
    for button in mending(obj, fix):
        operator = row.operator(button.operator, text=button.text, icon="MODIFIER")
        for name, value in button.properties.items():
            setattr(operator, name, value)


def draw_problem(context: Context, layout: UILayout, obj: bpy.types.Object) -> None:
    """What ended the motion or was refused last, as long as it is so."""
    refusal, problem = refusal_of(obj), problem_of(obj)
    fix = refusal.fix if refusal else None
    if fix is not None and mending(obj, fix):
        message(context, layout, problem or str(refusal))
    elif not is_evenly_scaled(obj.matrix_world):
        fix = Fix("SCALE", obj.session_uid)
        message(context, layout, problem or "Scaled unevenly or mirrored")
    elif problem:
        message(context, layout, problem)
    draw_buttons(layout, obj, fix)


def draw_rig_warnings(context: Context, layout: UILayout, obj: bpy.types.Object) -> None:
    """What should be known of single bones."""
    for warning in rig_warnings(obj):
        message(context, layout, warning.text, "INFO", boxed=True)
        draw_buttons(layout, obj, warning.fix)


def _draw_find(layout: UILayout, bone: str, holder: str) -> None:
    find = layout.operator("plant_dynamics.find_guide", icon="VIEWZOOM")
    find.bone, find.holder = bone, holder


def given_way_text(one: GivenWay, plant: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Which bone is off, from what, how far and when, and what to do."""
    off = bpy.utils.units.to_string(scene.unit_settings.system, "LENGTH", one.off, precision=3)
    told = {"bone": one.bone, "holder": one.holder, "off": off, "first": one.first, "worst": one.worst}
    if one.worst == one.first:
        text = iface_("From frame {first} on bone '{bone}' is {off} off '{holder}'")
    else:
        text = iface_("From frame {first} on bone '{bone}' is off '{holder}', by up to {off} at frame {worst}")
    if one.is_limited:
        what = iface_("More force is needed than its Largest Force: raise that, or set it to 0")
    elif one.by == "rod":
        what = iface_("Bring both nearer to each other, choose another bone, remove what else holds them{others}, "
                      "or give it Softness")  # fmt: skip
    else:
        what = iface_("Move '{holder}' to where the bone can be and press Play, choose another bone, remove what "
                      "else holds it{others}, or give it Softness")  # fmt: skip
    others = _others_on(plant, one)
    told["others"] = f" ({named(others)})" if others else ""
    return f"{text.format(**told)}. {what.format(**told)}"


def _others_on(plant: bpy.types.Object, one: GivenWay) -> list[str]:
    """Names of the other guides that hold the bone, or one between it and its root or a tip."""
    bone = plant.data.bones.get(one.bone)
    if bone is None:
        return []
    line = {bone.name, *(other.name for other in (*bone.parent_recursive, *bone.children_recursive))}
    guides = [load for load in plant.plant_dynamics.loads if load.kind in GUIDES and load.influence > 0.0]
    others = [load for load in guides if (load.bone, holder_of(load)) != (one.bone, one.holder)]
    ends = [(load, {load.bone, "" if load.other_object else load.other_bone}) for load in others]
    return [load.name for load, own in ends if own & line]


def draw_trouble(context: Context, layout: UILayout, plant: bpy.types.Object) -> None:
    """That what is seen is not how the plant would move, or that guides do not hold; nothing where all is well.

    It belongs below the buttons of Play, so that these stay where they are when it comes.
    """
    trouble, idle = trouble_of(plant), idle_guides(context, plant)
    # Where the motion is wrong, how far guides are off in it says nothing.
    giving = _giving_way(context, plant, {(bone, holder) for bone, holder, _ in idle}) if trouble is None else []
    if trouble is None and not (idle or giving):
        return
    box = layout.box()
    if trouble is not None:
        box.alert = True
        message(context, box, trouble.told(plant), boxed=True)
        box.alert = False
        draw_buttons(box, plant, trouble.fix(plant))
    guides = [(bone, holder, f"{bone}: {iface_(why)}") for bone, holder, why in idle]
    guides += [(one.bone, one.holder, given_way_text(one, plant, context.scene)) for one in giving]
    for bone, holder, text in guides[:1]:  # one at a time, its button first, which so stays where it is
        _draw_find(box, bone, holder)
        message(context, box, text, boxed=True)
    if len(guides) > 1:
        message(context, box, iface_("More guides that do not hold: {count}").format(count=len(guides) - 1), boxed=True)


def _giving_way(context: Context, plant: bpy.types.Object, idle: set[tuple[str, str]]) -> list[GivenWay]:
    """The guides of a live plant that do not hold, but those that are idle now or have been taken away since; none
    while it plays, for the sidebar is not drawn anew then."""
    session = session_of(plant) if plant.plant_dynamics.live else None
    if session is None or (context.screen is not None and context.screen.is_animation_playing):
        return []
    there = {(load.bone, holder_of(load)) for load in plant.plant_dynamics.loads if load.kind in GUIDES} - idle
    return [one for one in given_way(session) if (one.bone, one.holder) in there]


def idle_guides(context: Context, plant: bpy.types.Object) -> list[tuple[str, str, str]]:
    """Bones of a plant that is not baked that guides should hold but do not, by what, and why."""
    settings = plant.plant_dynamics
    if settings.is_baked or (context.screen is not None and context.screen.is_animation_playing):
        return []
    guides = [load for load in settings.loads if load.kind in GUIDES and load.bone]
    whys = [(load, LOADS[load.kind].why_idle(load, settings, context.scene)) for load in guides]
    whys += [(load, apart_text(plant, load)) for load in guides if differ_though_tied(plant, load, context.scene)]
    return [(load.bone, holder_of(load), why) for load, why in whys if why]


def apart_text(plant: bpy.types.Object, load: bpy.types.PropertyGroup) -> str:
    """That a tie to another plant does not hold, for they differ."""
    settings = ", ".join(iface_(name) for name in differing(plant, [load.other_object]))
    text = iface_("Not tied to '{plant}', for they differ in {settings}")
    return text.format(plant=load.other_object.name, settings=settings)
