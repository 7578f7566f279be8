# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators at work in slices, without a window."""

from types import SimpleNamespace

import bpy

from tests.blender.live.test_fixes import panel  # noqa: F401
from tests.blender.scenes.busy_plant import module


def looking_ahead(fresh, patience):
    play = module(fresh, "operators.playing.play").PLANT_DYNAMICS_OT_play
    return play.work(SimpleNamespace(_patience=patience), bpy.context)
