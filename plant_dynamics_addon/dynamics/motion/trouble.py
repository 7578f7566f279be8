# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that are not the plant's own: it found no rest to start from, or was stopped on the way."""

from dataclasses import dataclass

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ....solver import STOPPED, Equilibrium, Report
from ...errors import Fix, PlantError
from ..cache import disk_cache


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
            text = rpt_("{who}: it did not settle, so that its motion is wrong. Make it stiffer, its loads smaller, or "
                        "start as drawn")  # fmt: skip
            return text.format(who=who)
        text = rpt_("{who}: stopped at frame {frame}, where no step was short enough to go on. It stands still there. "
                    "Change stiffness, radius, handles or loads that are out of all proportion")  # fmt: skip
        return text.format(who=who, frame=self.frame)

    def fix(self, obj: bpy.types.Object) -> Fix:
        """What the panel can offer."""
        return Fix(self.kind, obj.session_uid, (self.bone,) if self.bone else ())


def trouble_in(
    start_frame: int, index: int, start: Equilibrium | None, report: Report | None, bones: tuple[str, ...]
) -> Trouble | None:
    """Why the frame at an index does not show how the plant would move, if so; frames behind it do not either."""
    if index == 0 and start is not None and not start.balanced:
        return Trouble("UNSETTLED", start_frame, _name(bones, start.rod))
    if report is not None and report.status == STOPPED:
        return Trouble("STOPPED", start_frame + index, _name(bones, report.rod))
    return None


def trouble_on_disk(obj: bpy.types.Object) -> Trouble | None:
    """The first trouble among the frames of its cache on disk that are those of the file as it is."""
    file, sure = disk_cache.file_of(obj), disk_cache.sure_frames(obj)
    if file is None or sure == 0:
        return None
    start = file.start()
    if start is not None and not start.balanced:
        return Trouble("UNSETTLED", file.first_frame, _name(file.names, start.rod))
    for index in np.flatnonzero(file.reports[:sure, 0] == STOPPED)[:1].tolist():
        return Trouble("STOPPED", file.first_frame + index, _name(file.names, int(file.reports[index, 4])))
    return None


def _name(bones: tuple[str, ...], rod: int) -> str:
    return bones[rod] if 0 <= rod < len(bones) else ""


def refuse(trouble: Trouble | None, obj: bpy.types.Object) -> None:
    """Raise PlantError where there is trouble."""
    if trouble is not None:
        how = rpt_("To take the motion as it is: Even If Stopped in the bake's options")
        raise PlantError(f"{trouble.told(obj)}. {how}")
