# SPDX-License-Identifier: GPL-3.0-or-later
"""Status, below the buttons of Play: what to do first, what is known, and how the motion began."""

from typing import NamedTuple

import bpy
import numpy as np
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, Panel, UILayout

from ..dynamics.live.at_work import going_on, is_going_on, lasts
from ..dynamics.live.lagging import lags
from ..dynamics.live.live import is_live
from ..dynamics.motion.contacts import drawn_through
from ..dynamics.motion.giving_way import given_way
from ..dynamics.motion.session import Session
from ..dynamics.motion.sessions import session_of
from ..dynamics.rig.moved import things_of
from ..dynamics.surroundings.inputs import is_static
from ..dynamics.surroundings.winds import blows, is_windy
from ..grow.objects.in_pot import through_pot, untouched_pots
from ..operators.playing.catch_up import PLANT_DYNAMICS_OT_catch_up
from ..plants import active_plant
from .base import messages
from .fixes import draw_rig_warnings
from .material import stretched_skins

#: What to do first, and what the plant does, with icons.
_PLAY = ("Press Play to see it move", "INFO")
_NOTHING_MOVES_IT = ("Nothing moves it yet: press Breeze, key it, or add a Pull Handle", "INFO")
_WAIT = ("Esc stops it", "TIME")
_SETTLES = ("Settling takes long: As Drawn under Start does not wait", "TIME")
_BAKED = ("Baked. Changes show after Bake Again", "CHECKMARK")
_COPY = ("A copy of a live plant: it follows after Play", "INFO")
_NEW = ("Not simulated yet: press Play to see it move", "TIME")
_PLAYING = ("Playing", "PLAY")
_AT_REST = ("At rest at the start", "CHECKMARK")
_IN_WIND = ("Begins at rest where wind holds it", "CHECKMARK")
_LED = ("Stands as it is keyed at the start", "CHECKMARK")
_PARTLY_LED = ("What follows begins as keyed", "CHECKMARK")
_HELD = ("Its shape is held at the start", "CHECKMARK")
_THROUGH_POT = ("Goes through its pot, which it does not touch", "INFO")
_STRETCHED = ("The skin is stretched where bones have come off", "ERROR")
_BEGINS_WITHIN = ("Begins inside what it would touch: see Contact", "INFO")
_ICONS = {
    "plant_dynamics.catch_up": "TIME", "plant_dynamics.touch_pot": "MODIFIER",
    "plant_dynamics.part_skin": "MOD_EDGESPLIT",
}  # fmt: skip

#: So many lines of text are above the line of buttons, whatever there is to say: no button below moves.
_LINES = 2

#: Seconds after which what settles is told how it need not.
_LONG = 5.0

#: Share of frames that may be less exact than asked for before the panel says so.
_OFTEN = 0.2


class _Told(NamedTuple):
    lines: list[tuple[str, str]]  # what there is to say, with icons
    button: str = ""  # the operator that is to be offered


def draw_status(context: Context, layout: UILayout, obj: bpy.types.Object) -> None:
    """Lines for one plant and a line for a button, always as many; what does not fit is behind another button. What
    went wrong is told first, for in a narrow sidebar one text fills them."""
    column, told = layout.column(align=True), _told(context, obj)
    first_wrong = sorted(told.lines, key=lambda line: line[1] != "ERROR")
    is_cut = messages(context, column, first_wrong, boxed=True, lines=_LINES)
    row = column.row(align=True)
    if told.button:
        row.operator(told.button, icon=_ICONS[told.button])
    if is_cut:
        row.popover("PLANT_DYNAMICS_PT_status", text="" if told.button else "All of It", icon="DOWNARROW_HLT")
    elif not told.button:
        row.label(text="")
    draw_rig_warnings(context, layout, obj)


class PLANT_DYNAMICS_PT_status(Panel):
    """All that Status has to say, where it is more than fits."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"  # of which it is no part: a button shows it
    bl_label = "Status"
    bl_ui_units_x = 15

    @classmethod
    def poll(cls, context: Context) -> bool:
        return active_plant(context) is not None

    def draw(self, context: Context) -> None:
        messages(context, self.layout, _told(context, active_plant(context)).lines)


def _told(context: Context, obj: bpy.types.Object) -> _Told:
    if not obj.plant_dynamics.is_baked and is_live(obj) and lags(obj) and not is_going_on():
        return _Told([("Not simulated up to here", "INFO")], "plant_dynamics.catch_up")
    lines = _lines(context, obj)
    if is_live(obj) and not is_going_on() and stretched_skins(obj):
        return _Told([*lines, _STRETCHED], "plant_dynamics.part_skin")
    if is_live(obj) and not _is_playing(context) and untouched_pots(obj) and through_pot(obj):
        return _Told([*lines, _THROUGH_POT], "plant_dynamics.touch_pot")
    return _Told(lines)


def _is_playing(context: Context) -> bool:
    return context.screen is not None and context.screen.is_animation_playing


def _lines(context: Context, obj: bpy.types.Object) -> list[tuple[str, str]]:
    """What the plant does, and what there is to say of it, with icons."""
    settings, session = obj.plant_dynamics, session_of(obj)
    if is_going_on():
        finds_rest = going_on() == (PLANT_DYNAMICS_OT_catch_up.beginning, 0.0) and settings.start == "settled"
        return [_SETTLES if finds_rest and lasts() > _LONG else _WAIT]
    if settings.is_baked:
        return [_BAKED]
    if not settings.live:
        return [_NOTHING_MOVES_IT if _stands_still(obj, context.scene) else _PLAY]
    if not is_live(obj):
        return [_COPY]
    if session is None or session.end_frame < session.recording.start_frame:
        return [_NEW]
    if _is_playing(context):
        # The sidebar is not redrawn while playing, so a number would be stale.
        return [_PLAYING, *notes(session)]
    return [(_cached_text(session), "TIME"), *_noted(session)]


def _cached_text(session: Session) -> str:
    """Which frames are known; after undo others are remembered until they have been looked at again."""
    text = iface_("Cached: frames {first} to {last}")
    if session.remembered_end > session.end_frame:
        text = iface_("Cached: frames {first} to {last}, to {remembered} if nothing has changed")
    first, last = session.recording.start_frame, session.end_frame
    return text.format(first=first, last=last, remembered=session.remembered_end)


def _stands_still(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether Play will show no motion."""
    settings = obj.plant_dynamics
    if settings.loads or is_windy(scene) or any(not one.plant_dynamics.thing.is_held for one in things_of(obj)):
        return False
    return settings.start != "drawn" and is_static(obj, scene)


def _noted(session: Session) -> list[tuple[str, str]]:
    """The same notes, but nothing is in order while guides give way."""
    found = notes(session)
    return [(text, icon if icon == "ERROR" else "INFO") for text, icon in found] if given_way(session) else found


def notes(session: Session) -> list[tuple[str, str]]:
    """What there is to say about the start and the frames of a session, with icons; what matters least comes last."""
    found = troubles = _troubles_of(session)
    if drawn_through(session):
        found = [*found, _BEGINS_WITHIN]
    found = [*found, *_begun(session, not troubles)]
    if not troubles and session.known.coarse_share() > _OFTEN:
        text = iface_("{share:.0f} % of frames less exact than asked for: if it shows, more Halvings help")
        found = [*found, (text.format(share=100.0 * session.known.coarse_share()), "INFO")]
    return found


def _troubles_of(session: Session) -> list[tuple[str, str]]:
    """What went wrong in the frames."""
    found = []
    slowed, crowded = session.first_slowed(), session.first_crowded()
    if slowed is not None:
        found.append((_slowed_text(*slowed), "ERROR"))
    if crowded is not None:
        text = iface_("Frame {frame}: more bones are near each other than it can take; some go through others. Switch "
                      "Collides off for bones that matter less, or Itself or Others")  # fmt: skip
        found.append((text.format(frame=crowded), "ERROR"))
    return found


def _begun(session: Session, in_order: bool) -> list[tuple[str, str]]:
    """How the motion began; where the frames are in order, also that this is."""
    start = session.known.equilibrium
    if start is None:
        return []
    kept = session.manner.start == "keep_shape"
    led = _led_at_start(session)
    if led > 0.5:  # it is not settled then
        return [_LED if led == 1.0 else _PARTLY_LED]
    if start.sways:
        return [("Never at rest in this wind", "INFO")]
    if not start.balanced:  # which stands above all panels
        return []
    found = []
    if not (kept or start.stable):  # a plant that came to rest in no pose is not stable
        found.append(("Not quite settled at the start", "INFO"))
    elif not start.stable:
        found.append(("Not stable: a touch topples it", "INFO"))
    elif in_order:
        found.append(_HELD if kept else _IN_WIND if blows(session.recording.worlds[0].wind) else _AT_REST)
    if start.fell and not kept and not session.recording.worlds[0].guides:
        found.append(("Toppled or bent over: other equilibria are likely", "INFO"))
    return found


def _led_at_start(session: Session) -> float:
    """The share of bones that follow their pose at the start."""
    follow = session.recording.worlds[0].follow
    return 0.0 if follow is None else float((np.asarray(follow)[session.plant.moving] >= 1.0).mean())


def _slowed_text(frame: int, bone: str) -> str:
    if bone:
        text = iface_("Frame {frame}, bone '{bone}': too fast or too crowded, slowed down")
        return text.format(frame=frame, bone=bone)
    return iface_("Frame {frame}: too fast or too crowded, slowed down").format(frame=frame)
