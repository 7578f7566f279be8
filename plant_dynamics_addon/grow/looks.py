# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes and colours of organs by kind of plant."""

from dataclasses import dataclass, field

from .blades import BladeShape
from .flowers import FlowerShape
from .materials import PlantColours
from .skin import SkinShape


@dataclass(frozen=True)
class PlantLook:
    """Shapes and colours of the organs."""

    shape: SkinShape = field(default_factory=SkinShape)
    colours: PlantColours = field(default_factory=PlantColours)


_STIFF_BLADE = BladeShape(arch=0.0, droop=0.0, fold_degrees=20.0, margin_curl=0.0, waves=0.0, variation=0.2)

# The word in a plant's name, and what such a plant looks like. Colours are linear RGB.
LOOKS = {
    "rose": PlantLook(
        SkinShape(
            blade=BladeShape(arch=0.10, droop=0.06, fold_degrees=16.0),
            flower=FlowerShape(whorls=6, petal_width=0.58, pointed=0.22, cup=0.42, centre=0.0),
        ),
        PlantColours(
            "Rose",
            leaf=(0.022, 0.085, 0.022),
            leaf_other=(0.040, 0.110, 0.025),
            petal=(0.42, 0.012, 0.030),
            petal_base=(0.30, 0.006, 0.018),
        ),
    ),
    "orchid": PlantLook(
        SkinShape(
            blade=BladeShape(arch=0.02, droop=0.02, fold_degrees=14.0, waves=0.02),
            flower=FlowerShape(kind="orchid"),
        ),
        PlantColours(
            "Orchid",
            leaf=(0.028, 0.100, 0.022),
            leaf_other=(0.040, 0.120, 0.022),
            vein=(0.040, 0.130, 0.030),
            stem=(0.075, 0.110, 0.035),
            petal=(0.78, 0.50, 0.66),
            petal_base=(0.62, 0.10, 0.34),
            flower_centre=(0.48, 0.015, 0.16),
        ),
    ),
    "reed": PlantLook(
        SkinShape(blade=_STIFF_BLADE, flower=FlowerShape(kind="spikelet")),
        PlantColours(
            "Reed",
            leaf=(0.110, 0.180, 0.045),
            leaf_other=(0.170, 0.210, 0.060),
            vein=(0.20, 0.26, 0.09),
            stem=(0.25, 0.26, 0.09),
            petal=(0.30, 0.19, 0.13),
            petal_base=(0.20, 0.11, 0.09),
        ),
    ),
    "grass": PlantLook(SkinShape(blade=_STIFF_BLADE, flower=FlowerShape(kind="spikelet"))),
    "inflorescence": PlantLook(
        SkinShape(flower=FlowerShape(petal_width=0.36, pointed=0.5, centre=0.17)),
        PlantColours(
            "Inflorescence",
            petal=(0.22, 0.07, 0.52),
            petal_base=(0.52, 0.38, 0.74),
        ),
    ),
    "tropical": PlantLook(
        SkinShape(blade=BladeShape(arch=0.15, droop=0.12, fold_degrees=18.0, waves=0.10)),
        PlantColours(
            "Tropical",
            leaf=(0.018, 0.090, 0.020),
            leaf_other=(0.030, 0.120, 0.018),
            vein=(0.16, 0.30, 0.07),
            stem=(0.075, 0.140, 0.035),
        ),
    ),
    "shrub": PlantLook(
        SkinShape(blade=BladeShape(arch=0.10, droop=0.05)),
        PlantColours(
            "Shrub",
            leaf=(0.030, 0.095, 0.018),
            leaf_other=(0.055, 0.140, 0.020),
            bark_radii=(0.0010, 0.0035),
        ),
    ),
}


def look_named(name: str) -> PlantLook:
    """The look whose word occurs in a plant's name, else that of a common green plant with pink flowers."""
    lowered = name.lower()
    return next((look for word, look in LOOKS.items() if word in lowered), PlantLook())
