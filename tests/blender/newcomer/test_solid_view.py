# SPDX-License-Identifier: GPL-3.0-or-later
"""Solid view shows plants about as light as the pictures that they are chosen by, and Grow leaves views alone."""

import importlib

import bpy
import numpy as np
import pytest

#: How much of a colour Blender's Solid view shows on average, of leaves that look everywhere.
STUDIO_LIGHT = 0.35
LUMINANCE = (0.2126, 0.7152, 0.0722)


def linear(srgb):
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def green_in_picture(path):
    """The middle colour, linear RGB, of what is green in a picture."""
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    pixels = np.array(image.pixels[:]).reshape(-1, 4)[:, :3]
    bpy.data.images.remove(image)
    red, green, blue = pixels.T
    chosen = (green - blue > 0.12) & (green >= red)
    return np.median(linear(pixels[chosen]), axis=0)


@pytest.mark.parametrize(
    "preset", ["broad_leaf", "potted_plant", "fern", "young_oak", "tropical", "ivy", "palm", "tulip"]
)
def test_leaves_are_as_light_as_in_the_chooser(fresh, preset):
    addon = f"{fresh.__name__}.plant_dynamics_addon"
    title = next(
        one.title for one in importlib.import_module(f"{fresh.__name__}.lsystem").presets() if one.name == preset
    )
    look = importlib.import_module(f"{addon}.grow.looks.catalogue").look_named(title)
    materials = importlib.import_module(f"{addon}.grow.looks.materials").plant_materials(look.colours)
    leaf = np.array(next(one for one in materials if "Leaf" in one.name).diffuse_color[:3])
    pictures = importlib.import_module(f"{addon}.properties.preset_items").PICTURES
    picture = green_in_picture(pictures / f"{preset}.jpg")
    ratio = STUDIO_LIGHT * (leaf @ LUMINANCE) / (picture @ LUMINANCE)
    assert 0.6 < ratio < 1.7
    assert leaf.argmax() == picture.argmax() == 1


def test_colours_keep_their_hue_and_are_a_little_paler(fresh):
    of = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.grow.looks.colours")
    assert of.in_solid_view((0.0, 0.0, 0.0), 0.5) == (0.0, 0.0, 0.0)
    red, green, blue = of.in_solid_view((0.4, 0.01, 0.02), 0.5)
    assert red == pytest.approx(0.4**0.5)
    assert green < blue < 0.3 * red
    assert max(of.in_solid_view((0.9, 0.5, 1.0), 0.3)) <= 1.0
