# SPDX-License-Identifier: GPL-3.0-or-later
"""How reeds stand in wind.

    .venv-blender-4.5/bin/python benchmarks/reeds.py [--write docs/benchmarks-blender.md]

Presets as they are grown, settled in even wind: how high the ends of their culms stand, over how high they are drawn;
and the exponent with which the drag of all grows with the speed; on average over winds from eight sides, for their
blades stand in two ranks; and in their own shelter, near the ground. Of giant reed, Arundo donax, it was worked out in
the field, from the areas that videos showed: with the square up to 1 m/s, and in direct proportion from 1.5 to 10 m/s
(Speck 2003, American Journal of Botany 90, 1253-1256).
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import in_blender

PLANTS, SPEEDS = ("reed", "reed_bed"), (1.0, 1.5, 3.0, 5.0, 8.0, 10.0, 20.0)
SIDES, PROFILE = 8, 0.25


def table(repeats: int) -> list[str]:
    """The table's lines; once is enough."""
    import bpy

    module = in_blender.enable()
    commands = module("plant_dynamics_addon.commands")
    sessions, live = (module(f"plant_dynamics_addon.dynamics.{one}") for one in ("motion.sessions", "live.live"))
    rotate = module("solver.math.rotations").rotate
    lines = [
        "## Reeds in even wind", "",
        f"| plant | {' | '.join(f'{speed:g} m/s' for speed in SPEEDS)} | exponent, 1.5 to 10 m/s | 3 to 10 m/s |",
        "| --- |" + " --- |" * (len(SPEEDS) + 2),
    ]  # fmt: skip
    for name in PLANTS:
        in_blender.empty_scene(1)
        obj, wind = commands.grow(name), bpy.context.scene.plant_dynamics.wind
        wind.use_air, wind.source, wind.turbulence_intensity = True, "GUSTS", 0.0
        ends = ends_of_culms(obj.data.bones)
        drawn = np.array([obj.data.bones[i].tail_local[2] for i in ends])
        heights, drags = np.zeros((2, SIDES, len(SPEEDS)))
        sheltered = np.zeros((SIDES, len(SPEEDS)))

        def settled(speed: float, obj: Any = obj, wind: Any = wind) -> Any:
            wind.speed = speed
            live.go_live(obj)
            bpy.context.scene.frame_set(1)
            plant = sessions.session_of(obj).motion.simulation
            live.stop_live(obj)
            return plant

        for side in range(SIDES):
            angle = 2.0 * np.pi * side / SIDES
            wind.direction = np.cos(angle), np.sin(angle), 0.0
            wind.shelter = wind.height_exponent = 0.0
            for k, speed in enumerate(SPEEDS):
                plant = settled(speed)
                heights[side, k] = (plant.rod_tails()[ends, 2] / drawn).mean()
                drags[side, k] = drag_of(plant, speed * np.array(wind.direction), rotate)
            wind.shelter, wind.height_exponent, wind.reference_height = 1.0, PROFILE, drawn.max()
            for k, speed in enumerate(SPEEDS):
                sheltered[side, k] = (settled(speed).rod_tails()[ends, 2] / drawn).mean()
        speeds, drag = np.log(SPEEDS), np.log(drags.mean(axis=0))
        exponents = [np.polyfit(speeds[k:-1], drag[k:-1], 1)[0] for k in (1, 2)]
        for told, high, last in (
            (name, heights, [f"{one:.2f}" for one in exponents]), (f"{name}, sheltered", sheltered, ["—", "—"]),
        ):  # fmt: skip
            lines.append(f"| {told} | {' | '.join([f'{100 * one:.0f} %' for one in high.mean(axis=0)] + last)} |")
    lines.append(
        "\nOn average over winds from eight sides. Sheltered: by themselves, in a wind that grows with the fourth"
        " root of the height up to this speed at their top. Drag of giant reed, *Arundo donax*, worked out from the"
        " areas that videos showed, grows with the square up to 1 m/s and in direct proportion from 1.5 to 10 m/s"
        " (Speck 2003, American Journal of Botany 90, 1253-1256). It is higher and has more blades: of this reed's"
        " drag in weak wind two thirds are on its culm and panicle, which give way later than blades."
    )
    return lines


def ends_of_culms(bones: Any) -> list[int]:
    """The last stem bones of culms, by what stands highest."""
    stems = [i for i, bone in enumerate(bones) if bone.plant_dynamics.organ == "stem"]
    bears = {bone.parent.name for bone in (bones[i] for i in stems) if bone.parent}
    top = max(bone.tail_local[2] for bone in bones)
    return [i for i in stems if bones[i].name not in bears and bones[i].tail_local[2] > 0.6 * top]


def drag_of(plant: Any, wind: np.ndarray, rotate: Any) -> float:
    """N along the wind (m/s) on all panels, without what they rise with."""
    panels = plant.model.panels
    body = np.repeat(np.arange(plant.model.body_count), np.diff(panels.start))
    axis = rotate(plant.placed().orientation[body], panels.axis)
    along = axis @ wind
    across = wind - along[:, None] * axis
    faces = 1.0 / np.sqrt(1.0 + 1.225 * panels.rolls * (wind @ wind))
    force = (faces * panels.along * np.abs(along) * along)[:, None] * axis
    force += (panels.across * np.linalg.norm(across, axis=1))[:, None] * across
    return float(0.5 * 1.225 * force.sum(axis=0) @ wind / np.linalg.norm(wind))


if __name__ == "__main__":
    in_blender.main(__doc__, 1, table)
