# SPDX-License-Identifier: GPL-3.0-or-later
"""How leaves of grown plants move in gusts.

    .venv-blender-4.5/bin/python benchmarks/leaves.py [--repeats N] [--write docs/benchmarks-blender.md]

Each preset as it is grown, in the gusts of the Wind panel, played at 24 frames a second for so many seconds, N times as
long if asked for: gusts of 30 m pass in 4 s at 8 m/s, in 15 s at 2 m/s. Bend and twist: ranges of the leaves' angles
against their twigs that hold nine tenths of the time, of the leaf in the middle. From 1.5, 3 Hz: shares of the bend's
variance that are as quick. Leaf over twig: how far a leaf's tip goes as it is seen from its twig, over how far its base
goes, root mean squares.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import in_blender

SPEEDS = 2.0, 5.0, 8.0
#: s; trees of more than a thousand bones take long.
SECONDS = {"young_oak": 12, "broad_leaf": 48, "willow": 12, "rose": 48, "shrub": 48}


def table(repeats: int) -> list[str]:
    """The table's lines."""
    from tests.blender.scenes.leaves import leaf_motion

    module = in_blender.enable()
    commands = module("plant_dynamics_addon.commands")
    addon = sys.modules[module("plant_dynamics_addon").__package__.rpartition(".")[0]]
    lines = [
        "## Leaves in gusts", "", "| plant | wind, m/s | bend | twist | a frame | from 1.5, 3 Hz | leaf over twig |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for name, seconds in SECONDS.items():
        for speed in SPEEDS:
            in_blender.empty_scene(1)
            motion = leaf_motion.in_wind(addon, commands.grow(name), speed, repeats * seconds)
            lines.append(
                f"| {name} | {speed:g} | {motion.bend:.0f}° | {motion.twist:.0f}° | {motion.frame:.1f}° | "
                f"{100 * motion.quick:.0f}, {100 * motion.several:.0f} % | "
                f"{1e3 * motion.leaf:.0f} / {1e3 * motion.twig:.0f} mm: {motion.leaf / motion.twig:.2f} |"
            )
            print(lines[-1], file=sys.stderr, flush=True)
    lines.append(
        "\nBend and twist: ranges that hold nine tenths of the time, of the leaf in the middle. From 1.5, 3 Hz: shares"
        " of the bend's variance that are as quick. Leaf over twig: how far its tip goes as it is seen from its twig,"
        " over how far its base goes. Of oak and willow 12 s are taken, of the others 48: gusts of 30 m pass in 4 s"
        " at 8 m/s, in 15 s at 2 m/s, so that another seed gives other ratios in a shorter time. A whole tree in a"
        " wind tunnel moved by its leaves in weak wind and by its branches in stronger wind (Tadrist et al. 2018,"
        " Journal of the Royal Society Interface 15, 20180010). At 2 m/s leaves rustle, and only from 3.4 m/s on they"
        " and small twigs move without end (Beaufort's scale): so do these.\n\n"
        "![An oak's top and a broad-leaf plant at 2, 5 and 8 m/s, a twelfth of a second from picture to"
        " picture](pictures/row_leaves.jpg)"
    )
    return lines


if __name__ == "__main__":
    in_blender.main(__doc__, 1, table)
