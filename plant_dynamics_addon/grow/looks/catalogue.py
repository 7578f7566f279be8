# SPDX-License-Identifier: GPL-3.0-or-later
"""What kinds of plants look like: the shapes and colours of their organs."""

from dataclasses import dataclass, field, replace

from ..mesh.flowers.kinds import FlowerShape
from ..mesh.leaves.blades import BladeShape
from ..mesh.leaves.companions import Companions
from ..mesh.leaves.margins import Cut, veins_into
from ..mesh.leaves.silhouettes import HEART, OVATE, PALM, TOOTHED, veins_of
from ..mesh.leaves.sprays import Spray
from ..mesh.stems.shape import Buds, Flare, Nodes, Prickles, StemShape, Twiglets
from .colours import PlantColours


@dataclass(frozen=True)
class PlantLook:
    """Shapes and colours of the organs."""

    colours: PlantColours = field(default_factory=PlantColours)
    blade: BladeShape = field(default_factory=BladeShape)
    flower: FlowerShape = field(default_factory=FlowerShape)
    stem: StemShape = field(default_factory=StemShape)
    has_bark: bool | None = None  # of thick stems; None: if they are stiff enough to be wood


_OAK_BLADE = BladeShape(
    arch=0.08, droop=0.06, fold_degrees=14.0, waves=0.12, widest=0.62, tapering=1.35,
    cut=Cut(lobes=4, depth=0.5, sweep=0.22),
)  # fmt: skip
#: Trunks of trees spread into their roots.
_TRUNK = Flare(widening=0.55, reach=4.0, crests=5, relief=0.4)
_TREE = StemShape(_TRUNK)
#: Posts and stakes do not.
_POST = StemShape(Flare(widening=0.0))
#: Their wood has cracked, so often to a metre around it.
_CRACKED = 60.0
#: Blades of grasses rise in shoots.
_SHOOTS = Companions(4, smallest=0.5, largest=1.1, tufts=True, apart=1.0, scatter_degrees=(8.0, 35.0, 8.0))
_TUFT = Companions(3, smallest=0.45, largest=0.9, tufts=True, apart=3.0, scatter_degrees=(5.0, 24.0, 6.0))
_STIFF_BLADE = BladeShape(arch=0.0, droop=0.0, fold_degrees=20.0, margin_curl=0.0, waves=0.0, variation=0.2)

# The word in a plant's name, and what such a plant looks like. Colours are linear RGB.
LOOKS = {
    "rose": PlantLook(
        PlantColours(
            "Rose", leaf=(0.022, 0.085, 0.022), leaf_other=(0.04, 0.11, 0.025), petal=(0.42, 0.012, 0.03),
            petal_base=(0.3, 0.006, 0.018), fruit=(0.26, 0.03, 0.016), veins=(0.0, 9.0), blade_width=0.65,
            teeth=(15.0, 0.11), gloss=0.5,
        ),
        blade=BladeShape(arch=0.1, droop=0.08, fold_degrees=16.0, widest=0.42, tapering=1.7),
        stem=StemShape(prickles=Prickles()),
        flower=FlowerShape(kind="rose"),
    ),
    "orchid": PlantLook(
        PlantColours(
            "Orchid", parallel=5.0, quilted=0.1, gloss=0.7, leaf=(0.028, 0.1, 0.022), leaf_other=(0.04, 0.12, 0.022),
            vein=(0.04, 0.13, 0.03), stem=(0.075, 0.11, 0.035), petal=(0.78, 0.5, 0.66), petal_base=(0.62, 0.1, 0.34),
            flower_centre=(0.48, 0.015, 0.16),
        ),
        blade=BladeShape(arch=0.02, droop=0.02, fold_degrees=14.0, waves=0.02),
        flower=FlowerShape(kind="orchid"),
        has_bark=False,
    ),
    "reed": PlantLook(
        PlantColours(
            "Reed", parallel=9.0, quilted=0.25, blade_width=0.1, leaf=(0.11, 0.18, 0.045),
            leaf_other=(0.17, 0.21, 0.06), vein=(0.2, 0.26, 0.09),
            stem=(0.25, 0.26, 0.09), petal=(0.3, 0.19, 0.13), petal_base=(0.2, 0.11, 0.09),
        ),
        blade=replace(_STIFF_BLADE, companions=_SHOOTS), flower=FlowerShape(kind="plume"),
        stem=StemShape(nodes=Nodes(below=9.0, at_leaves=True)), has_bark=False,
    ),
    "grass": PlantLook(
        PlantColours("Grass", parallel=7.0, quilted=0.25, petal=(0.2, 0.13, 0.1), petal_base=(0.15, 0.17, 0.06)),
        blade=replace(_STIFF_BLADE, companions=_TUFT), flower=FlowerShape(kind="panicle branch"), has_bark=False,
    ),
    "t-shaped": PlantLook(
        PlantColours(
            "Stalk", leaf=(0.028, 0.11, 0.03), leaf_other=(0.05, 0.15, 0.035), petal=(0.2, 0.1, 0.6),
            petal_base=(0.62, 0.55, 0.82), flower_centre=(0.8, 0.62, 0.1), veins=(0.02, 8.0), vein_slant=0.2,
            blade_width=0.4, teeth=(9.0, 0.14),
        ),
        blade=BladeShape(arch=0.12, droop=0.14, widest=0.38, tapering=1.6),
        flower=FlowerShape(petal_width=0.42, pointed=0.2, cup=0.4, centre=0.12, notch=0.12),
    ),
    "inflorescence": PlantLook(
        PlantColours("Inflorescence", petal=(0.22, 0.07, 0.52), petal_base=(0.52, 0.38, 0.74)),
        flower=FlowerShape(petal_width=0.36, pointed=0.5, centre=0.17),
    ),
    "broad-leaf": PlantLook(
        PlantColours("Broad-leaf", vein=(0.18, 0.31, 0.085), veins=(0.0, 7.0), vein_slant=0.18, blade_width=0.65),
        blade=BladeShape(fold_degrees=16.0, margin_curl=0.3, ageing=0.5, cut=Cut(silhouette=OVATE)),
        stem=StemShape(buds=Buds(length=3.4, slender=0.5)),
    ),
    "potted": PlantLook(
        PlantColours("Potted", vein=(0.17, 0.29, 0.08), veins=(0.0, 9.0), vein_slant=0.28, blade_width=0.65),
        blade=BladeShape(arch=0.08, fold_degrees=14.0, widest=0.4, tapering=2.2, variation=0.25),
        stem=StemShape(buds=Buds(length=3.4, slender=0.5)),
    ),
    "tropical": PlantLook(
        PlantColours(
            "Tropical", leaf=(0.018, 0.09, 0.02), leaf_other=(0.03, 0.12, 0.018), vein=(0.14, 0.27, 0.065),
            stem=(0.075, 0.14, 0.035), veins=(0.0, 9.0), vein_slant=0.26, blade_width=0.4,
        ),
        blade=BladeShape(
            arch=0.09, droop=0.12, fold_degrees=14.0, margin_curl=0.22, waves=0.1, widest=0.4, tapering=2.0,
        ),
    ),
    "shrub": PlantLook(
        PlantColours("Shrub", leaf=(0.04, 0.12, 0.022), leaf_other=(0.07, 0.165, 0.026), bark_radii=(0.001, 0.0035)),
        blade=BladeShape(
            arch=0.1, droop=0.08, widest=0.4, tapering=1.7,
            spray=Spray(
                leaves=30, length=0.28, slender=0.55, first=0.03, last=0.92, angle_degrees=62.0, scatter_degrees=22.0,
                turn_degrees=137.5, to_sky=0.6,
            ),
        ),
        stem=StemShape(Flare(0.4, 3.0), buds=Buds()), has_bark=True,
    ),
    "panicle": PlantLook(
        PlantColours("Panicle", petal=(0.8, 0.72, 0.55), petal_base=(0.62, 0.66, 0.3)),
        flower=FlowerShape(petal_width=0.4, pointed=0.25, centre=0.22),
    ),
    "campion": PlantLook(
        PlantColours("Campion", petal=(0.62, 0.03, 0.2), petal_base=(0.72, 0.3, 0.42), leaf=(0.05, 0.12, 0.045)),
        flower=FlowerShape(petal_width=0.42, pointed=0.12, cup=0.16, centre=0.1, notch=0.38),
    ),
    "lilac": PlantLook(
        PlantColours(
            "Lilac", petal=(0.42, 0.17, 0.62), petal_base=(0.6, 0.4, 0.72), bark_radii=(0.0015, 0.0032),
            veins=(0.02, 8.0), vein_slant=0.2, blade_width=0.8,
        ),
        blade=BladeShape(arch=0.08, droop=0.1, margin_curl=0.1, cut=Cut(silhouette=HEART)),
        stem=StemShape(buds=Buds(length=3.0, slender=0.6, in_axils=True)),
        flower=FlowerShape(petals=4, petal_width=0.40, pointed=0.3, cup=0.5, centre=0.06, sepals=4),
    ),
    "mint": PlantLook(
        PlantColours(
            "Mint", leaf=(0.03, 0.13, 0.03), stem=(0.12, 0.1, 0.06), petal=(0.5, 0.28, 0.62),
            petal_base=(0.66, 0.5, 0.72), veins=(0.0, 7.0), vein_slant=0.22, teeth=(11.0, 0.16), gloss=0.1, quilted=1.0,
        ),
        blade=BladeShape(waves=0.14, widest=0.36, tapering=1.6),
        flower=FlowerShape(petals=4, petal_width=0.5, centre=0.06),
    ),
    "sunflower": PlantLook(
        PlantColours(
            "Sunflower", petal=(0.9, 0.6, 0.01), petal_base=(0.86, 0.45, 0.008), flower_centre=(0.085, 0.035, 0.01),
            veins=(0.0, 9.0), vein_slant=0.2, blade_width=0.8, teeth=(13.0, 0.07), gloss=0.1, quilted=0.7,
        ),
        blade=BladeShape(arch=0.1, droop=0.16, waves=0.14, cut=Cut(silhouette=HEART)),
        flower=FlowerShape(
            kind="head", petals=21, whorls=2, petal_width=0.082, pointed=0.8, cup=0.35, centre=0.44,
        ),
    ),
    "wood fern": PlantLook(
        PlantColours(
            "Fern", blade_width=0.15, quilted=0.2, leaf=(0.035, 0.125, 0.015), leaf_other=(0.06, 0.17, 0.02),
            vein=(0.05, 0.14, 0.03), veins=veins_into(9), vein_slant=0.02,
        ),
        blade=BladeShape(
            arch=0.02, droop=0.04, fold_degrees=8.0, waves=0.05, relief=0.22, widest=0.22, tapering=0.9, ageing=0.0,
            cut=Cut(lobes=9, depth=0.62, sweep=0.3),
        ),
    ),
    "bamboo": PlantLook(
        PlantColours("Bamboo", parallel=11.0, quilted=0.2, stem=(0.2, 0.26, 0.045), leaf=(0.055, 0.145, 0.02)),
        blade=BladeShape(
            arch=0.05, droop=0.1, fold_degrees=14.0, widest=0.3, tapering=1.2,
            spray=Spray(leaves=4, length=0.68, slender=0.15, first=0.06, last=0.34, angle_degrees=42.0, hang=0.3),
            companions=Companions(1, largest=0.95, angle_degrees=34.0, scatter_degrees=(16.0, 40.0, 10.0)),
        ),
        stem=StemShape(nodes=Nodes(thinnest=0.003)), has_bark=False,
    ),
    "climbing": PlantLook(
        PlantColours(
            "Climbing", petal=(0.1, 0.07, 0.62), petal_base=(0.75, 0.68, 0.8), flower_centre=(0.8, 0.7, 0.3),
            bark_radii=(0.0035, 0.006), fissures=_CRACKED, vein=(0.14, 0.25, 0.065), veins=(0.02, 7.0),
            vein_slant=0.2, blade_width=0.8,
        ),
        blade=BladeShape(arch=0.1, droop=0.12, fold_degrees=12.0, margin_curl=0.08, cut=Cut(silhouette=HEART)),
        stem=_POST,
        flower=FlowerShape(kind="funnel"),
    ),
    "palm": PlantLook(
        PlantColours(
            "Palm", parallel=13.0, quilted=0.3, gloss=0.5, leaf=(0.035, 0.105, 0.018), leaf_other=(0.06, 0.13, 0.02),
            stem=(0.1, 0.16, 0.04), bark=(0.16, 0.12, 0.085), bark_radii=(0.02, 0.04), bark_rings=0.045,
        ),
        stem=StemShape(Flare(widening=0.4, reach=3.0)),
        blade=BladeShape(
            arch=0.05, droop=0.3, fold_degrees=24.0, waves=0.0, variation=0.6,
            companions=Companions(2, smallest=0.9, back=1.0, scatter_degrees=(5.0, 6.0, 3.0)),
        ),
    ),
    "conifer": PlantLook(
        PlantColours(
            "Conifer", parallel=1.0, quilted=0.05, gloss=0.5, leaf=(0.012, 0.058, 0.026),
            leaf_other=(0.022, 0.08, 0.026), glow=(0.05, 0.16, 0.035),
            vein=(0.03, 0.06, 0.02), bark_radii=(0.001, 0.003),
        ),
        stem=_TREE,
        blade=BladeShape(
            arch=0.0, droop=0.03, fold_degrees=24.0, margin_curl=0.0, waves=0.0, widest=0.45, tapering=0.55,
            cut=Cut(needles=20.0, sweep=0.6, spread_degrees=56.0),
            companions=Companions(
                3, smallest=0.4, largest=0.6, first=0.2, last=0.55, angle_degrees=40.0, scatter_degrees=(8.0, 8.0, 5.0),
            ),
        ),
    ),
    "willow": PlantLook(
        PlantColours(
            "Willow", veins=(0.0, 24.0), vein_slant=0.07, blade_width=0.16, quilted=0.15, leaf=(0.075, 0.15, 0.03),
            leaf_other=(0.11, 0.19, 0.045), stem=(0.22, 0.2, 0.05), under=(0.24, 0.31, 0.22),
            bark_radii=(0.001, 0.003), fissures=80.0,
        ),
        blade=BladeShape(
            arch=0.02, droop=0.06, fold_degrees=12.0, widest=0.4, tapering=1.15,
            spray=Spray(leaves=27, length=0.53, slender=0.15, first=0.03, last=0.84, angle_degrees=34.0, hang=0.35),
        ),
        stem=_TREE, has_bark=True,
    ),
    "old oak": PlantLook(
        PlantColours(
            "Old Oak", leaf=(0.048, 0.128, 0.021), leaf_other=(0.082, 0.168, 0.026), bark=(0.1, 0.082, 0.066),
            bark_radii=(0.002, 0.006), fissures=55.0, veins=veins_into(3), vein_slant=0.03,
        ),
        blade=replace(
            _OAK_BLADE, cut=replace(_OAK_BLADE.cut, lobes=3),
            spray=Spray(
                leaves=11, length=0.35, slender=0.58, first=0.05, last=0.82, angle_degrees=60.0, turn_degrees=137.5,
                to_sky=0.8,
            ),
        ),
        stem=StemShape(Flare(widening=0.7, reach=4.5, crests=6, relief=0.5)),
    ),
    "birch": PlantLook(
        PlantColours(
            "Birch", leaf=(0.05, 0.135, 0.02), leaf_other=(0.09, 0.17, 0.025), bark=(0.62, 0.6, 0.55),
            stem=(0.12, 0.075, 0.045), bark_radii=(0.009, 0.017), bark_kind="birch", veins=(0.05, 8.0), vein_slant=0.2,
            blade_width=0.7, teeth=(10.0, 0.2),
        ),
        blade=BladeShape(
            arch=0.06, droop=0.08, fold_degrees=12.0, widest=0.27, tapering=2.1,
            spray=Spray(leaves=13, length=0.22, slender=0.78, last=0.84, angle_degrees=66.0, hang=0.25),
        ),
        stem=_TREE,
    ),
    "tulip": PlantLook(
        PlantColours(
            "Tulip", parallel=15.0, quilted=0.15, gloss=0.2, leaf=(0.06, 0.15, 0.065), leaf_other=(0.08, 0.17, 0.07),
            vein=(0.1, 0.2, 0.09), stem=(0.11, 0.2, 0.07), petal=(0.62, 0.02, 0.015), petal_base=(0.75, 0.4, 0.02),
            flower_centre=(0.3, 0.25, 0.04),
        ),
        blade=BladeShape(arch=0.02, droop=0.04, fold_degrees=26.0, waves=0.05, widest=0.4, tapering=1.0),
        flower=FlowerShape(kind="tulip"), has_bark=False,
    ),
    "daffodil": PlantLook(
        PlantColours(
            "Daffodil", parallel=9.0, quilted=0.15, gloss=0.2, leaf=(0.05, 0.14, 0.055), leaf_other=(0.07, 0.16, 0.06),
            vein=(0.09, 0.19, 0.08),
            petal=(0.82, 0.7, 0.002), petal_base=(0.78, 0.64, 0.01), flower_centre=(0.82, 0.22, 0.004),
        ),
        blade=_STIFF_BLADE, flower=FlowerShape(kind="daffodil"), has_bark=False,
    ),
    "wheat": PlantLook(
        PlantColours(
            "Wheat", parallel=9.0, quilted=0.25, gloss=0.1, leaf=(0.36, 0.3, 0.1), leaf_other=(0.26, 0.27, 0.09),
            vein=(0.4, 0.34, 0.14), stem=(0.46, 0.36, 0.13), petal=(0.56, 0.4, 0.13), petal_base=(0.5, 0.36, 0.12),
        ),
        blade=_STIFF_BLADE, flower=FlowerShape(kind="grain"), has_bark=False,
        stem=StemShape(nodes=Nodes(below=9.0, at_leaves=True)),
    ),
    "hedge": PlantLook(
        PlantColours(
            "Hedge", leaf=(0.032, 0.112, 0.02), leaf_other=(0.058, 0.15, 0.024), bark_radii=(0.0012, 0.003), gloss=0.6,
        ),
        blade=BladeShape(
            arch=0.06, droop=0.05, fold_degrees=14.0, widest=0.45, tapering=1.5,
            spray=Spray(
                leaves=19, length=0.36, slender=0.54, first=0.04, last=0.86, scatter_degrees=24.0, turn_degrees=137.5,
                to_sky=0.4,
            ),
            companions=Companions(
                1, smallest=0.55, largest=0.8, first=0.3, angle_degrees=50.0, scatter_degrees=(20.0, 70.0, 12.0),
            ),
        ),
    ),
    "ivy": PlantLook(
        PlantColours(
            "Ivy", leaf=(0.012, 0.06, 0.014), leaf_other=(0.022, 0.088, 0.018), vein=(0.2, 0.28, 0.13),
            stem=(0.09, 0.1, 0.035), bark_radii=(0.0015, 0.004), fissures=_CRACKED, veins=veins_of(PALM),
            vein_slant=0.0, vein_alternate=0.0, blade_width=0.9, gloss=0.7,
        ),
        blade=BladeShape(arch=0.05, droop=0.08, fold_degrees=9.0, margin_curl=0.03, cut=Cut(silhouette=PALM)),
        stem=_POST,
    ),
    "tomato": PlantLook(
        PlantColours(
            "Tomato", leaf=(0.035, 0.105, 0.02), leaf_other=(0.055, 0.13, 0.022), stem=(0.09, 0.17, 0.04),
            petal=(0.85, 0.62, 0.01), petal_base=(0.8, 0.5, 0.01), fruit=(0.52, 0.022, 0.006),
            bark_radii=(0.006, 0.0068), veins=veins_of(TOOTHED), vein_slant=0.0, gloss=0.15, quilted=0.7,
        ),
        blade=BladeShape(
            arch=0.08, droop=0.16, fold_degrees=16.0, waves=0.16, margin_curl=0.22, cut=Cut(silhouette=TOOTHED),
        ),
        stem=_POST,
        flower=FlowerShape(petal_width=0.26, pointed=0.8, centre=0.16),
    ),
    "lavender": PlantLook(
        PlantColours(
            "Lavender", quilted=0.1, gloss=0.0, leaf=(0.13, 0.2, 0.12), leaf_other=(0.17, 0.24, 0.14),
            vein=(0.2, 0.26, 0.17), stem=(0.13, 0.19, 0.1), petal=(0.24, 0.12, 0.55), petal_base=(0.3, 0.2, 0.5),
            sepal=(0.16, 0.12, 0.3), flower_centre=(0.12, 0.06, 0.3),
        ),
        blade=BladeShape(arch=0.03, droop=0.02, fold_degrees=20.0, margin_curl=0.3, waves=0.0),
        flower=FlowerShape(whorls=2, petals=7, petal_width=0.3, pointed=0.4, cup=0.5, centre=0.3), has_bark=False,
    ),
    "oak": PlantLook(
        PlantColours(
            "Oak", leaf=(0.042, 0.125, 0.02), leaf_other=(0.075, 0.165, 0.026), bark=(0.095, 0.075, 0.058),
            bark_radii=(0.0012, 0.0035), fissures=85.0, veins=veins_into(3), vein_slant=0.03,
        ),
        blade=replace(
            _OAK_BLADE, cut=replace(_OAK_BLADE.cut, lobes=3),
            spray=Spray(
                leaves=6, length=0.53, slender=0.58, first=0.12, last=0.74, angle_degrees=66.0, turn_degrees=137.5,
                to_sky=0.8,
            ),
        ),
        stem=replace(_TREE, buds=Buds(length=3.0, slender=0.55)),
    ),
    "winter": PlantLook(
        PlantColours("Winter", bark=(0.135, 0.115, 0.095), bark_radii=(0.0002, 0.0008), fissures=100.0),
        stem=replace(_TREE, buds=Buds(length=3.6, apart=0.035), twiglets=Twiglets(), splinters=3.5),
    ),
    "sympodial": PlantLook(
        PlantColours(
            "Dogwood", leaf=(0.042, 0.128, 0.026), leaf_other=(0.068, 0.165, 0.03), petal=(0.85, 0.84, 0.72),
            petal_base=(0.7, 0.76, 0.5), flower_centre=(0.3, 0.4, 0.08), bark=(0.13, 0.1, 0.08),
            bark_radii=(0.0012, 0.004), fissures=70.0, veins=(0.0, 5.0), vein_slant=0.36, blade_width=0.6,
        ),
        blade=BladeShape(
            arch=0.08, droop=0.12, fold_degrees=14.0, waves=0.12, widest=0.4, tapering=1.8,
            spray=Spray(
                leaves=9, length=0.47, slender=0.58, first=0.06, last=0.8, angle_degrees=58.0, turn_degrees=137.5,
                to_sky=0.7,
            ),
        ),
        flower=FlowerShape(petals=4, petal_width=0.5, pointed=0.6, cup=0.16, centre=0.16),
        stem=replace(_TREE, buds=Buds(length=3.0, slender=0.5)),
    ),
    "honda": PlantLook(
        PlantColours(
            "Hornbeam", leaf=(0.038, 0.125, 0.026), leaf_other=(0.068, 0.162, 0.028), bark=(0.15, 0.14, 0.125),
            bark_radii=(0.0012, 0.004), veins=(0.0, 12.0), vein_slant=0.2, blade_width=0.55, teeth=(13.0, 0.13),
            quilted=0.7,
        ),
        blade=BladeShape(
            arch=0.05, droop=0.1, fold_degrees=12.0, widest=0.4, tapering=1.7,
            spray=Spray(
                leaves=13, length=0.34, slender=0.54, first=0.06, last=0.84, angle_degrees=58.0, scatter_degrees=11.0,
                hang=0.12, to_sky=0.6,
            ),
        ),
        stem=replace(_TREE, buds=Buds(length=3.2, slender=0.5)),
    ),
    "in the light": PlantLook(
        PlantColours(
            "Robinia", leaf=(0.045, 0.135, 0.028), leaf_other=(0.075, 0.17, 0.03), bark=(0.105, 0.085, 0.062),
            bark_radii=(0.0012, 0.0035), fissures=90.0, veins=(0.0, 9.0), vein_slant=0.12, blade_width=0.5, gloss=0.15,
        ),
        blade=BladeShape(
            arch=0.02, droop=0.04, fold_degrees=10.0, waves=0.03, widest=0.48, tapering=1.0,
            spray=Spray(
                leaves=17, length=0.26, slender=0.46, first=0.1, last=0.84, angle_degrees=76.0, scatter_degrees=5.0,
                hang=0.1, to_sky=0.5,
            ),
        ),
        stem=_TREE,
    ),
    "tree": PlantLook(
        PlantColours("Tree", bark=(0.105, 0.08, 0.06), bark_radii=(0.0012, 0.004), fissures=100.0),
        blade=BladeShape(
            arch=0.08, droop=0.08, fold_degrees=16.0, widest=0.42, tapering=1.75,
            spray=Spray(
                leaves=13, length=0.39, slender=0.5, first=0.05, last=0.86, angle_degrees=62.0, turn_degrees=137.5,
                to_sky=0.7,
            ),
        ),
        stem=_TREE,
    ),
}  # fmt: skip


def look_named(name: str) -> PlantLook:
    """The look whose word occurs in a plant's name, else that of a common green plant with pink flowers."""
    lowered = name.lower()
    return next((look for word, look in LOOKS.items() if word in lowered), PlantLook())
