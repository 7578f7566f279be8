# SPDX-License-Identifier: GPL-3.0-or-later
"""What a .blend file stores for plants: settings of objects, overrides of bones, options of the scene."""

from .bake import BakedBone, BakeSettings
from .bone import BonePhysics
from .compare import CompareSettings
from .constant import GrowConstant
from .contact import ColliderSettings, ContactSettings, MovedThing, ThingSettings
from .declared import OVERRIDABLE, make_overridable, read_once
from .force_fields import FieldWeights
from .growth import ChangedConstant, Growth
from .load import PlantLoad
from .plant import INPUTS, PlantSettings
from .pose import CUT, FOLLOWING, FollowSettings, PoseBefore
from .preferences import PlantPreferences
from .scene import GrowOptions
from .wind import WindSettings

CLASSES = (
    BakedBone,
    BakeSettings,
    ContactSettings,
    ColliderSettings,
    FieldWeights,
    PlantLoad,
    MovedThing,
    ThingSettings,
    ChangedConstant,
    Growth,
    FollowSettings,
    PlantSettings,
    BonePhysics,
    PoseBefore,
    WindSettings,
    GrowConstant,
    GrowOptions,
    CompareSettings,
    PlantPreferences,
)

for _group in (
    BakedBone, ContactSettings, ColliderSettings, FieldWeights, PlantLoad, MovedThing, ThingSettings,
    ChangedConstant, Growth, FollowSettings, PlantSettings, BonePhysics, PoseBefore,
):  # fmt: skip
    make_overridable(_group)
read_once(BonePhysics)
read_once(PlantSettings, but=INPUTS)

__all__ = [
    "CLASSES",
    "CUT",
    "FOLLOWING",
    "OVERRIDABLE",
    "BakeSettings",
    "BonePhysics",
    "CompareSettings",
    "FollowSettings",
    "GrowOptions",
    "PlantLoad",
    "PlantSettings",
    "PoseBefore",
    "WindSettings",
]
