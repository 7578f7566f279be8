# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds everything that the extension has to Blender, and removes it."""

import os
from pathlib import Path

import bpy

from . import __package__ as _package


def _place_kernel_cache() -> None:
    """What numba may have to compile goes to the extension's own folder, which survives restarts and updates."""
    try:
        folder = bpy.utils.extension_path_user(_package.rpartition(".")[0], path="kernels")
    except ValueError:  # the package is not installed as an extension, e.g. run from a checkout
        return
    os.environ.setdefault("PLANT_DYNAMICS_CACHE_DIR", str(Path(folder)))


def register() -> None:
    """Add the extension's classes, properties and handlers to Blender."""
    _place_kernel_cache()  # before the solver is imported
    from . import command_line, errors, operators, panels, properties, translations
    from .dynamics.live import at_work, handlers
    from .dynamics.motion.contacts import shown_contacts
    from .dynamics.motion.references import shown_references
    from .effort.shown import shown_efforts
    from .viewport import bone_colours, contact_arrows, reference_ghost, wind_arrow

    for cls in (*properties.CLASSES, *operators.CLASSES, *panels.CLASSES):
        if issubclass(cls, bpy.types.Operator | bpy.types.Panel):
            cls.bl_translation_context = translations.CONTEXT
        bpy.utils.register_class(cls)
    PointerProperty, own = bpy.props.PointerProperty, properties.OVERRIDABLE
    bpy.types.Object.plant_dynamics = PointerProperty(type=properties.PlantSettings, override=own)
    bpy.types.Bone.plant_dynamics = PointerProperty(type=properties.BonePhysics, override=own)
    bpy.types.PoseBone.plant_dynamics = PointerProperty(type=properties.PoseBefore, override=own)
    bpy.types.PoseBone.plant_dynamics_cut = properties.CUT
    for name, prop in properties.FOLLOWING.items():
        setattr(bpy.types.PoseBone, name, prop)
    bpy.types.Scene.plant_dynamics = bpy.props.PointerProperty(type=properties.GrowOptions)
    bpy.types.Scene.plant_dynamics_bake = bpy.props.PointerProperty(type=properties.BakeSettings)
    bpy.types.Scene.plant_dynamics_compare = bpy.props.PointerProperty(type=properties.CompareSettings)
    handlers.register()
    wind_arrow.drawing.register()
    # While work goes on plants do not show the frames that it goes through.
    contact_arrows.drawing.show(lambda scene: () if at_work.is_going_on() else shown_contacts(scene))
    reference_ghost.drawing.show(shown_references)
    bone_colours.drawing.show(shown_efforts)
    command_line.register()
    panels.deletion.add_to_menus()
    translations.register()
    errors.tell_in(bpy.app.translations.pgettext_rpt)


def unregister() -> None:
    """Remove everything that `register` added, in reverse order."""
    from . import command_line, errors, operators, panels, properties, translations
    from .dynamics.live import handlers
    from .properties.preset_items import forget_pictures
    from .viewport import bone_colours, contact_arrows, reference_ghost, wind_arrow

    errors.tell_in(str)
    translations.unregister()
    panels.deletion.remove_from_menus()
    command_line.unregister()
    bone_colours.drawing.unregister()
    reference_ghost.drawing.unregister()
    contact_arrows.drawing.unregister()
    wind_arrow.drawing.unregister()
    handlers.unregister()
    del bpy.types.Scene.plant_dynamics_compare
    del bpy.types.Scene.plant_dynamics_bake
    for name in ("plant_dynamics_cut", *properties.FOLLOWING):
        delattr(bpy.types.PoseBone, name)
    for owner in (bpy.types.Scene, bpy.types.PoseBone, bpy.types.Bone, bpy.types.Object):
        del owner.plant_dynamics
    for cls in reversed((*properties.CLASSES, *operators.CLASSES, *panels.CLASSES)):
        bpy.utils.unregister_class(cls)
    forget_pictures()
