# SPDX-License-Identifier: GPL-3.0-or-later
"""Status, below the buttons of Play: what to do first, what is known, and how the motion began."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_n as n_
from bpy.types import Context, UILayout

from ..dynamics.live.at_work import is_going_on
from ..dynamics.live.lagging import lags
from ..dynamics.live.live import is_live
from ..dynamics.motion.session import Session
from ..dynamics.motion.sessions import session_of
from ..dynamics.surroundings.inputs import is_static
from ..dynamics.surroundings.winds import is_windy
from .base import message
from .fixes import draw_rig_warnings

#: What to do first.
_PLAY = n_("Press Play to see it move")
_WAIT = n_("Getting ready. Esc stops it")
_NOTHING_MOVES_IT = n_("Nothing moves it yet: press Breeze, key its place, or add a Pull Handle below")

#: Share of frames that may be less exact than asked for before the panel says so.
_OFTEN = 0.2


def draw_status(context: Context, layout: UILayout, obj: bpy.types.Object) -> None:
    """Lines for one plant."""
    settings, session = obj.plant_dynamics, session_of(obj)
    if is_going_on():
        message(context, layout, _WAIT, "TIME")
    elif settings.is_baked:
        message(context, layout, "Baked. Changes show after Bake Again", "CHECKMARK")
    elif not settings.live:
        message(context, layout, _NOTHING_MOVES_IT if _stands_still(obj, context.scene) else _PLAY, "INFO")
    elif not is_live(obj):
        message(context, layout, "A copy of a live plant: it follows after Play", "INFO")
    elif lags(obj):
        message(context, layout, "Stands as it stood before: not simulated up to this frame", "INFO")
        layout.operator("plant_dynamics.catch_up", icon="TIME")
    elif session is None or session.end_frame < session.recording.start_frame:
        layout.label(text="Live, not in the cache yet", icon="TIME")
    elif context.screen is not None and context.screen.is_animation_playing:
        # The sidebar is not redrawn while playing, so a number would be stale.
        layout.label(text="Playing", icon="PLAY")
        layout.label(text="")  # as high as after a pause, so that no button moves
    else:
        text = iface_("Cached: frames {first} to {last}")
        text = text.format(first=session.recording.start_frame, last=session.end_frame)
        layout.label(text=text, icon="TIME", translate=False)
        for text, icon in notes(session):
            message(context, layout, text, icon)
    draw_rig_warnings(context, layout, obj)


def _stands_still(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether Play will show no motion."""
    return obj.plant_dynamics.start != "drawn" and not is_windy(scene) and is_static(obj, scene)


def notes(session: Session) -> list[tuple[str, str]]:
    """What there is to say about the start and the frames of a session, with icons."""
    found = []
    slowed, crowded = session.first_slowed(), session.first_crowded()
    if slowed is not None:
        found.append((_slowed_text(*slowed), "ERROR"))
    if crowded is not None:
        text = iface_("Frame {frame}: more bones are near each other than it can take; some go through others. Switch "
                      "Collides off for bones that matter less, or Itself or Others")  # fmt: skip
        found.append((text.format(frame=crowded), "ERROR"))
    elif slowed is None and session.known.coarse_share() > _OFTEN:
        text = iface_("{share:.0f} % of frames less exact than asked for")
        found.append((text.format(share=100.0 * session.known.coarse_share()), "INFO"))
    start = session.known.equilibrium
    if start is None:
        return found
    kept = session.manner.start == "keep_shape"
    if start.sways:
        found.append(("Sways: begins where wind holds it", "INFO"))
        return found
    if not start.balanced:  # which stands above all panels
        return found
    if not (kept or start.stable):  # a plant that came to rest in no pose is not stable
        found.append(("Not quite settled at the start", "INFO"))
    else:
        text = iface_("Shape held, residual {residual:.0e}") if kept else iface_("Settled, residual {residual:.0e}")
        found.append((text.format(residual=start.residual), "CHECKMARK"))
        if not start.stable:
            found.append(("Not stable: a touch topples it", "INFO"))
    if start.fell and not kept:
        found.append(("Toppled or bent over: other equilibria are likely", "INFO"))
    return found


def _slowed_text(frame: int, bone: str) -> str:
    if bone:
        return iface_("Frame {frame}, bone '{bone}': too fast, slowed down").format(frame=frame, bone=bone)
    return iface_("Frame {frame}: too fast, slowed down").format(frame=frame)
