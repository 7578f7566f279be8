# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that are not the plant's own: it found no rest to start from, or was stopped on the way."""

from dataclasses import dataclass

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...errors import Fix, PlantError


@dataclass(frozen=True)
class Trouble:
    """kind: "UNSETTLED" at the first frame, or "STOPPED"; frame: where it begins; bone: which, where that is known."""

    kind: str
    frame: int
    bone: str = ""

    def told(self, obj: bpy.types.Object) -> str:
        """What is wrong and what to do."""
        who = f"'{obj.name}'"
        if self.bone:
            who = rpt_("'{plant}', bone '{bone}'").format(plant=obj.name, bone=self.bone)
        if self.kind == "UNSETTLED":
            text = rpt_("{who}: it did not settle, so that it does not move as it would. Make it stiffer, its loads "
                        "smaller, or start as drawn")  # fmt: skip
            return text.format(who=who)
        text = rpt_("{who}: stopped at frame {frame}, where no step was short enough to go on. It stands still there. "
                    "Change stiffness, radius, handles or loads that are out of all proportion")  # fmt: skip
        return text.format(who=who, frame=self.frame)

    def fix(self, obj: bpy.types.Object) -> Fix:
        """What the panel can offer."""
        return Fix(self.kind, obj.session_uid, (self.bone,) if self.bone else ())


def refuse(trouble: Trouble | None, obj: bpy.types.Object) -> None:
    """Raise PlantError where there is trouble."""
    if trouble is not None:
        how = rpt_("To take the motion as it is: Even If Stopped (allow_stopped) in the bake's options")
        raise PlantError(f"{trouble.told(obj)}. {how}")
