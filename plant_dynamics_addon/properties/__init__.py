# SPDX-License-Identifier: GPL-3.0-or-later
"""What a .blend file stores for plants: settings of objects, overrides of bones, options of the scene."""

from .bone import BonePhysics
from .load import PlantLoad
from .plant import PlantSettings
from .pose import PoseBefore
from .scene import GrowOptions
from .wind import WindSettings

CLASSES = (PlantLoad, PlantSettings, BonePhysics, PoseBefore, WindSettings, GrowOptions)

__all__ = ["CLASSES", "BonePhysics", "GrowOptions", "PlantLoad", "PlantSettings", "PoseBefore", "WindSettings"]
