# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that follow an animation, and may not give as much as it needs."""

from collections.abc import Sequence

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ..blender.in_bulk import values_of
from ..dynamics.surroundings.keyed_pose import largest_moments
from ..rigging.warnings import named


def too_weak(obj: bpy.types.Object, bones: Sequence[str], moment: np.ndarray, first: int) -> tuple[str, ...]:
    """A sentence with the names of the bones that give way, as they are set to follow, in an animation that needs so
    much of their joints: moment (k, n) N m from the first frame on."""
    whole, poses = obj.plant_dynamics.following, obj.pose.bones
    index = [poses.find(name) for name in bones]
    own, share = (values_of(poses, f"plant_dynamics_{name}")[index, 0] for name in ("largest_moment", "follow"))
    lacks = (moment > largest_moments(own, whole)) & (whole.share * share > 0.0)
    if not lacks.any():
        return ()
    text = rpt_("Give way, first at frame {frame}, for the motion needs more than their Max Moment: {bones}")
    weak = np.array(bones)[lacks.any(axis=0)]
    return (text.format(frame=first + int(lacks.any(axis=1).argmax()), bones=named(weak)),)
