# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of the textures of opened objects of L-studio, which their texts name only: kept in the .blend."""

import re

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...lsystem import LStudioObject


def text_with_images(opened: LStudioObject) -> str:
    """The text, with the names that Blender gives to its textures' images, which are packed and kept."""
    text = opened.text
    for path in opened.images:
        image = bpy.data.images.load(str(path), check_existing=True)
        image.use_fake_user = True
        if image.packed_file is None:
            image.pack()
        if image.name != path.name:
            text = re.sub(rf"(?m)^(\s*texture\s*:.*){re.escape(path.name)}", rf"\g<1>{image.name}", text)
    return text


def without_images(opened: LStudioObject) -> list[str]:
    """What is to be said of images that are not there."""
    told = rpt_("Surfaces are without these images, which are not beside the file: {names}")
    return [told.format(names=", ".join(opened.missing))] if opened.missing else []
