# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Play in Blender as a Python module: what the add-on's frame handler takes, beside Blender's own cost.

    .venv-blender-4.5/bin/python benchmarks/live_speed.py [--repeats N] [--write docs/benchmarks-blender.md]

The kernels are compiled beforehand. Frames are shown one after the other, first with nothing known of them
("simulated"), then again ("cached"), several times over. Of each frame the shortest time of all repeats is taken, and
of the frames the middle one, so that what else the machine does shows little. All is
measured by the wall clock, for plants go on together on all cores. "Solver": what of the handler is
spent in the solver's Simulation. "The scene alone": `frame_set` while the add-on's handler does not run and the
armatures stand still; "baked": while Blender plays the same motion from keys.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import in_blender

FRAMES = 48
SHOWN = range(9, FRAMES + 1)  # measured; the first frames are those of the start
CASES = (  # bones, plants, kind; milliseconds asked for: of the handler, and of solver and posing
    (50, 1, "carried", None, None),
    (200, 1, "carried", 1.0, None),
    (200, 1, "windy", 1.0, None),
    (1500, 1, "carried", None, None),
    (50, 100, "carried", None, 1000 / 24),
    (50, 100, "windy", None, 1000 / 24),
)


class Clock:
    """Adds up the time in functions, by the wall clock: plants that go together do so on all cores."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._put: list[tuple[Any, str, Callable[..., Any]]] = []

    def watch(self, owner: Any, name: str) -> None:
        """Time every call of owner.name from now on."""
        function = getattr(owner, name)
        self._put.append((owner, name, function))

        def timed(*arguments: Any, **named: Any) -> Any:
            begin = perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.spent += perf_counter() - begin

        setattr(owner, name, timed)

    def stop(self) -> None:
        """Put the functions back."""
        for owner, name, function in self._put:
            setattr(owner, name, function)

    def take(self) -> float:
        """Seconds since this was last asked."""
        spent, self.spent = self.spent, 0.0
        return spent


def table(repeats: int) -> list[str]:
    import bpy

    module = in_blender.enable()
    lines = [
        f"## Play, Blender {bpy.app.version_string}\n",
        f"Milliseconds a frame of 1/24 s: of each frame the shortest of {repeats}, of the frames the middle.\n",
        "| bones × plants | handler, cached | handler, simulated | of that the solver | posing | without the solver |"
        " asked for |"
        " whole frame, cached | whole frame, simulated | scene alone | same motion baked | handler, frames a second |",
        "|" + " --- |" * 12,
    ]
    for bones, plants, kind, whole, both in CASES:
        found = _measure(module, bones, plants, kind, repeats)
        handler, solver, posing = found["handler simulated"], found["solver"], found["posing"]
        asks = (("handler", whole), ("solver and posing", both))
        asked = [f"{what} < {most:.0f}" for what, most in asks if most]
        times = [found["handler cached"], handler, solver, posing, handler - solver]
        frames = [found[name] for name in ("frame cached", "frame simulated", "alone", "baked")]
        cells = [f"{bones} × {plants}, {kind}", *map(_ms, times), *(asked or ["—"]), *map(_ms, frames)]
        lines.append(f"| {' | '.join(cells)} | {1 / handler:.0f} |")
        print(lines[-1], file=sys.stderr, flush=True)
    lines.append(
        "\nHandler: all that the add-on does at a frame, reading the scene, simulating and posing (writing the bones'"
        " rotations)."
        " Simulated: a frame that is not known yet; cached: shown again. Whole frame: `frame_set` with the handler, in"
        " which Blender also evaluates the poses; scene alone: `frame_set` without the handler, the plants standing"
        " still; baked: Blender plays the same motion from keys; all by the wall clock. Carried: the first plant's"
        " object is moved by keys; windy: the plants stand in gusts."
    )
    return lines


def _measure(module: Any, bones: int, plants: int, kind: str, repeats: int) -> dict[str, float]:
    import bpy

    live = module("plant_dynamics_addon.dynamics.live.live")
    handlers = module("plant_dynamics_addon.dynamics.live.handlers")
    showing = module("plant_dynamics_addon.dynamics.live.showing")
    sessions, baking = (
        module("plant_dynamics_addon.dynamics.motion.sessions"),
        module("plant_dynamics_addon.baking.bake"),
    )
    simulation = module("solver").Simulation
    scene = in_blender.empty_scene(FRAMES)
    objects = []
    for k in range(plants):
        obj = in_blender.tree(bones, f"Tree.{k}")
        obj.location.y = 0.5 * k
        objects.append(obj)
    if kind == "windy":
        in_blender.make_gusty(scene)
    else:
        in_blender.carry(objects[0])
    scene.frame_set(1)
    alone = _play(scene, repeats)[0]
    for obj in objects:
        live.go_live(obj)

    def forgotten() -> None:
        for obj in objects:
            sessions.close_session(obj)

    handler, solver, posing = Clock(), Clock(), Clock()
    handler.watch(handlers, "update_live")
    posing.watch(showing, "write_pose")
    for name in ("advance", "rod_orientations", "snapshot"):
        solver.watch(simulation, name)
    result = {"alone": alone}
    for name in ("simulated", "cached"):
        before = forgotten if name == "simulated" else None
        frame, all_of_it, spent, posed = _play(scene, repeats, before, handler, solver, posing)
        result |= {f"frame {name}": frame, f"handler {name}": all_of_it}
        result = {"solver": spent, "posing": posed} | result
    for clock in (handler, solver, posing):
        clock.stop()
    baking.bake_now(bpy.context, objects, baking.BakeOptions(1, FRAMES))
    result["baked"] = _play(scene, repeats)[0]
    return result


def _play(scene: Any, repeats: int, before: Callable[[], None] | None = None, *clocks: Clock) -> list[float]:
    """Seconds of a whole frame and on the clocks."""
    times: dict[int, list[float]] = {frame: [1e9] * (1 + len(clocks)) for frame in SHOWN}
    for _ in range(repeats):
        if before is not None:
            before()
        for frame in range(1, FRAMES + 1):
            for clock in clocks:
                clock.take()
            begin = perf_counter()
            scene.frame_set(frame)
            spent = [perf_counter() - begin, *(clock.take() for clock in clocks)]
            if frame in times:
                times[frame] = [min(pair) for pair in zip(times[frame], spent, strict=True)]
    return [sorted(column)[len(column) // 2] for column in zip(*times.values(), strict=True)]


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.2f}" if seconds < 0.01 else f"{1e3 * seconds:.1f}"


if __name__ == "__main__":
    in_blender.main(__doc__, 9, table)
