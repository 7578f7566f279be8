# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/gallery.md: every plant of the Grow panel with its picture, size, bones and time to grow. Needs `bpy`:

.venv-blender-4.5/bin/python tools/gallery_page.py
"""

import importlib
import platform
import sys
from pathlib import Path
from time import process_time

from demo import EXTENSION, REPOSITORY
from enabled_extension import enabled_extension

sys.path.insert(0, str(REPOSITORY))
from tests.blender.scenes.leaves import crowns

PAGE = REPOSITORY / "docs" / "gallery.md"
PICTURES = "../plant_dynamics_addon/grow/pictures"
REPEATS = 2  # the best counts
_INTRODUCTION = """\
# The plants

The presets of the Grow panel, as they stand when they have grown with the sliders' values: height as drawn (on the
pictures below, as they stand under their weight), bones,
leaves that are seen, and the seconds of processor time from the press of Grow to the whole plant with its skin, on
{machine}. Every one is [a text](../lsystem/presets) with comments; other sliders give other plants.

Of trees and shrubs also the leaf area over the ground that their leaves stand over, one side of all as they are drawn.
Beside measured ones, within a factor of 1.5:

{measured}
* Oaks: mean of 1215 of 12 species that grow in the open (McPherson, van Doorn and Peper 2016, *Urban tree database*,
  USDA Forest Service). 14 single blue oaks that were harvested had 4.4 (Karlik and McKay 2002).
* Willow: the least of sprouts of *Salix* 'Aquatica' of one to three years, which had 4.9 to 6.4 (*Biomass and
  Bioenergy* 8, 1995). No figure of a weeping willow that stands alone was found.
* Shrub, and the lilac's twig, over the ground of its own leaves: mean of shrublands; of all vegetation it is 4.5, with
  a standard deviation of 2.5 (Asner, Scurlock and Hicke 2003, *Global Ecology and Biogeography* 12).
* Leaves of a twig: of oaks and lilac 2.56 times its length in cm to the power of 0.44, as the R package aRchi
  (B. Lecigne) has it of broad leaves on shoots of a year. Of willow and shrub its length over the mean way from leaf to
  leaf on shoots of willows, in the R package shipunov (A. Shipunov and others, `salix_plants`): 11.5 mm on 28 of
  *Salix amygdaloides*, trees of 2 to 6 m, and 7.7 mm on 328 of three shrubs, *S. phylicifolia*, *S. myrsinifolia* and
  *S. starkeana*, with leaves 4.0 cm long and 1.6 wide.

`tools/gallery_page.py` makes this page, `tools/gallery_pictures.py` its pictures, also those from 0.3 m, at the detail
High (studies come last):

![All plants from near](pictures/presets_near.jpg)

The same as EEVEE shows them:

![All plants from near, by EEVEE](pictures/presets_eevee.jpg)

All of each plant, as EEVEE shows it; [by Cycles](pictures/presets.jpg):

![All plants from far, by EEVEE](pictures/presets_eevee_far.jpg)
"""


def main() -> None:
    with enabled_extension():
        PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Text of the page, the plants in their groups."""
    presets = importlib.import_module(f"{EXTENSION}.lsystem").presets()
    looks = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.looks.catalogue")
    parts = [_INTRODUCTION.format(machine=f"one core of {_processor()}", measured=beside_measured(presets, looks))]
    for group in importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.properties.preset_items").GROUPS:
        wooded = group in ("Trees and shrubs", "Studies")
        head = ["", "", "height", "bones", "leaves", "grows in", *(["leaf area"] if wooded else [])]
        parts.append(f"\n## {group}\n\n| {' | '.join(head)} |\n| {' | '.join(len(head) * ['---'])} |\n")
        for preset in sorted(presets, key=lambda one: one.title):
            if preset.group == group:
                bones, leaves, height, seconds = min((grown(preset) for _ in range(REPEATS)), key=lambda one: one[3])
                spray = looks.look_named(preset.title).blade.spray
                leaves *= spray.leaves if spray else 1
                parts.append(
                    f"| ![{preset.title}]({PICTURES}/{preset.name}.jpg) | **{preset.title}**. {preset.description}"
                    f" | {height:.2g} m | {bones} | {leaves} | {seconds:.1f} s |"
                    f"{f' {crowns.leaf_area_index(active_plant()):.1f} |' if wooded else ''}\n"
                )
                print(f"{preset.name}: {bones} bones, {seconds:.2f} s", flush=True)
    return "".join(parts)


def grown(preset) -> tuple[int, int, float, float]:
    """Bones, leaves of the text, m of height and seconds of a plant that is grown by the operator in an empty file."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    grow = bpy.context.scene.plant_dynamics
    grow.source, grow.preset = "PRESET", preset.name
    begin = process_time()
    bpy.ops.plant_dynamics.grow()
    seconds = process_time() - begin
    bones = bpy.context.object.data.bones
    is_leaf = [bone.plant_dynamics.organ == "leaf" for bone in bones]
    inside = [leaf and bone.parent is not None and bone.parent.plant_dynamics.organ == "leaf" and bone.use_connect
              for leaf, bone in zip(is_leaf, bones, strict=True)]  # fmt: skip
    return len(bones), sum(is_leaf) - sum(inside), max(bone.tail_local.z for bone in bones), seconds


def active_plant():
    import bpy

    return bpy.context.object


def beside_measured(presets, looks) -> str:
    """A table of leaf areas and leaves of twigs beside those of real plants."""
    lines = ["|  | leaf area | measured | leaves of a twig | measured |", "| --- | --- | --- | --- | --- |"]
    for preset in (one for one in presets if one.name in crowns.LEAF_AREA):
        grown(preset)
        spray = looks.look_named(preset.title).blade.spray
        leaves, length = crowns.leafy_twigs(active_plant(), spray.leaves if spray else 1)
        lines.append(
            f"| {preset.title} | {crowns.leaf_area_index(active_plant()):.1f} | {crowns.LEAF_AREA[preset.name]:.1f}"
            f" | {leaves} on {100 * length:.0f} cm | {crowns.leaves_of_a_shoot(preset.name, length):.0f} |"
        )
    return "\n".join([*lines, ""])


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"a {names[0]}" if names else platform.machine()


if __name__ == "__main__":
    main()
