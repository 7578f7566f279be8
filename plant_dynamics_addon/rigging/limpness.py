# SPDX-License-Identifier: GPL-3.0-or-later
"""How stiff bones are for their size, and figures that go limp."""

from collections.abc import Sequence

import bpy

from ..blender.fcurves import actions_of, curve_lists, read_keys
from ..dynamics.motion.sessions import session_of
from ..dynamics.rig.armature_reader import read_armature
from ..dynamics.rig.keyed.constraints import SHARE
from ..dynamics.rig.natural import level_sag
from ..dynamics.rig.plant import Plant
from ..presets import files

#: A bone of a Joint Factor up to this turns freely, and is not what sags.
_LOOSE = 1e-2

#: What would sag by more of its length than this is limp, and by less than the second stiff.
LIMP, _STIFF = 10.0, 1.0

#: With this share or less bones do not follow any more.
_LITTLE = 0.1


def soften(obj: bpy.types.Object, sag: float) -> str:
    """Make bones that have no Young's modulus of their own, unless all have one, so soft that, held out level, the
    longest way along them would sag by so much of its length. Gives the name of the setting that does it."""
    settings = obj.plant_dynamics
    read = read_armature(obj, obj.matrix_world)
    bending = _bending(obj, read)
    name = "young_modulus" if bending else "stiffness_factor"
    setattr(settings, name, level_sag(read.model, bending) / sag * getattr(settings, name))
    return name


def soften_bones(obj: bpy.types.Object, bones: Sequence[bpy.types.Bone], sag: float) -> None:
    """The same of some bones, which have Young's moduli of their own then."""
    read = read_armature(obj, obj.matrix_world)
    times = level_sag(read.model, {read.rod_of(bone.name) for bone in bones}) / sag
    for bone in bones:
        bone.plant_dynamics.young_modulus *= times


def _bending(obj: bpy.types.Object, plant: Plant) -> set[int] | None:
    """The rods whose material is the armature's; None where all have materials of their own."""
    bones = {name: obj.data.bones[name].plant_dynamics for name in plant.names}
    bending = {
        plant.rod_of(name) for name, own in bones.items() if own.young_modulus <= 0.0 and own.stiffness_factor > _LOOSE
    }
    return bending if bending and not obj.plant_dynamics.bones_have_materials else None


def make_limp(obj: bpy.types.Object) -> str:
    """Give bones what those of a figure that drops need: they are soft, touch each other, and are not to hold a drawn
    shape. Gives the name of the setting that makes them soft."""
    sag = files.level_sag("follow", "Ragdoll")
    assert sag is not None, "the preset that comes along says it"
    obj.plant_dynamics.contact.itself = True
    if obj.plant_dynamics.start == "keep_shape":
        obj.plant_dynamics.start = "settled"
    return soften(obj, sag)


def is_limp(obj: bpy.types.Object) -> bool:
    """Whether bones are too soft to hold a drawn shape."""
    read = read_armature(obj, obj.matrix_world)
    return level_sag(read.model, _bending(obj, read)) > LIMP


def stays_stiff(obj: bpy.types.Object) -> bool:
    """Whether a live plant stops to follow its keys, and has springs so stiff that they go on following them."""
    session = session_of(obj) if obj.plant_dynamics.live else None
    if session is None or not _stops_to_follow(obj, session.plant):
        return False
    return level_sag(session.plant.model, _bending(obj, session.plant)) < _STIFF


def _stops_to_follow(obj: bpy.types.Object, plant: Plant) -> bool:
    """Whether Follow is keyed down to about 0, or a figure that does not follow its keys is let go."""
    settings = obj.plant_dynamics
    shares = [
        read_keys(curve)["co"][:, 1]
        for action, slot in actions_of(obj.animation_data) for curves in curve_lists(action, slot) for curve in curves
        if curve.data_path == SHARE and not (curve.mute or curve.is_empty)
    ]  # fmt: skip
    if any(share.min() <= _LITTLE < share.max() for share in shares):
        return True
    is_figure = len(plant.animated) > 0 and not settings.growth.is_known
    return bool(is_figure and settings.let_go and settings.following.share <= _LITTLE)
