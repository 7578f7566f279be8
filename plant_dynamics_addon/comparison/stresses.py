# SPDX-License-Identifier: GPL-3.0-or-later
"""How near a plant's bones come to breaking in its motion: which ones would break, or do, and when."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ...solver import Sample, Simulation, rod_stresses, section_moduli
from ..baking.walk import simulate_range
from ..blender.timeline import at_first_frame
from ..changes import version
from ..dynamics.rig.broken_bones import OFF, WHOLE
from ..dynamics.rig.plant import Plant
from ..errors import PlantError
from ..material_columns import COLUMNS
from ..memory import Measured
from .once_more import once_more, taken_down

_STRENGTH = COLUMNS["strength"]


@dataclass(frozen=True)
class Stresses:
    """Of the m bones that bend: largest bending stress (Pa) at the frames from first to last, the frame it is reached
    at, strength (Pa, 0 where none is known), and the frame at which the stress is first above it, None where never."""

    bones: tuple[str, ...]
    largest: np.ndarray
    frame: np.ndarray
    strength: np.ndarray
    breaks: tuple[int | None, ...]
    first: int
    last: int

    def would_break(self) -> list[str]:
        """Names of the bones whose strength is exceeded, in the order in which that happens."""
        order = np.argsort(-self._shares(), kind="stable").tolist()
        found = [(frame, self.bones[i]) for i in order if (frame := self.breaks[i]) is not None]
        return [bone for _, bone in sorted(found, key=lambda one: one[0])]

    def nearest(self) -> str | None:
        """The bone that comes nearest to its strength, or goes farthest beyond it; None if no strength is known."""
        shares = self._shares()
        return self.bones[int(shares.argmax())] if (self.strength > 0.0).any() else None

    def told(self) -> str:
        """In a sentence."""
        breaking, nearest = self.would_break(), self.nearest()
        if breaking:
            i = self.bones.index(breaking[0])
            text = rpt_("Bones that would break: {count}. First '{bone}' at frame {frame}, up to {stress:g} MPa of "
                        "{strength:g}")  # fmt: skip
            return text.format(count=len(breaking), frame=self.breaks[i], **self._numbers(i))
        if nearest is not None:
            text = rpt_("No bone would break. Nearest '{bone}' at frame {frame}, {stress:g} MPa of {strength:g}")
            i = self.bones.index(nearest)
        else:
            text = rpt_("Largest stress: {stress:g} MPa, '{bone}' at frame {frame}. No bone has a strength")
            i = int(self.largest.argmax())
        return text.format(frame=int(self.frame[i]), **self._numbers(i))

    def _shares(self) -> np.ndarray:
        return np.divide(self.largest, self.strength, out=np.zeros(len(self.bones)), where=self.strength > 0.0)

    def _numbers(self, i: int) -> dict[str, str | float]:
        unit = _STRENGTH.unit
        pressures = {"stress": float(self.largest[i]) / unit, "strength": float(self.strength[i]) / unit}
        return {"bone": self.bones[i]} | {name: float(f"{value:.3g}") for name, value in pressures.items()}


_measured: Measured[Stresses] = Measured()


def measure(
    context: bpy.types.Context, obj: bpy.types.Object, last_frame: int, allow_stopped: bool = False
) -> Generator[float, None, Stresses]:
    """Find the stresses from the scene's first frame to last_frame, yielding progress 0..1.

    What is not cached is simulated and then cached; the whole is simulated once more for the stress, which the cache
    does not hold. allow_stopped: of a plant too that did not settle or was stopped. Raises PlantError, for a baked
    plant if its cache does not reach so far.
    """
    scene = context.scene
    if last_frame < scene.frame_start:
        raise PlantError(
            "Frame {last} comes before the scene's first, {first}",
            last=last_frame, first=scene.frame_start,
        )
    if not obj.plant_dynamics.is_baked:  # the cache of a baked plant is that of its bake
        for progress, _ in simulate_range(context, [obj], last_frame, allow_stopped=allow_stopped):
            yield 0.5 * progress
    asked = version(obj)
    with at_first_frame(scene):
        again = once_more(obj, scene, context.evaluated_depsgraph_get(), last_frame)
    plant, rods, bodies = again.plant, again.motion.rods_of(again.number), again.motion.bodies_of(again.number)
    moduli = np.concatenate([section_moduli(*pair) for pair in zip(plant.parts, plant.models, strict=True)])
    rows: list[np.ndarray] = []
    broken: list[np.ndarray] = []

    def note(simulation: Simulation) -> None:
        world = again.recordings[again.number].worlds[len(rows)]
        thicker = plant.thickness_in(world)[plant.model.body_rod]
        rows.append(rod_stresses(plant.model, _moments(simulation)[bodies], moduli * thicker**3))
        broken.append(simulation.broken()[rods] != WHOLE)

    for progress in taken_down(obj, again, note, allow_stopped):
        yield 0.5 + 0.5 * progress
    snapped = np.array(broken) & ~_cut_so_far(again.recordings[again.number].worlds, plant.model.rod_count)
    return _measured.keep(obj, _found(obj, plant, again.start_frame, np.array(rows), snapped), asked)


def _moments(simulation: Simulation) -> np.ndarray:
    """(n,) N m: what bends the rods at the joints, of which an open one, however far it is turned, bears nothing."""
    moments: np.ndarray = simulation.bending_moments()
    return np.where(simulation.snapshot().broken.cracked == OFF, 0.0, moments)


def _cut_so_far(worlds: Sequence[Sample], rods: int) -> np.ndarray:
    """(frames, rods) bool."""
    cut = [np.zeros(rods) if world.cut is None else np.asarray(world.cut) for world in worlds]
    return np.logical_or.accumulate(np.array(cut) != 0.0)


def measured(obj: bpy.types.Object) -> Stresses | None:
    """What was measured of the object, if it has not changed since."""
    return _measured.of(obj)


def _found(
    obj: bpy.types.Object, plant: Plant, start: int, stresses: np.ndarray, snapped: np.ndarray
) -> Stresses:
    """Of the rods' stresses (frames, m), the first at the frame start, and which of them have broken by then.

    What has broken was bent to its strength, between two frames.
    """
    bending = np.flatnonzero(plant.model.first_joint >= 0)
    bones = tuple(plant.bones[i] for i in bending)
    strength = _STRENGTH.own([obj.data.bones[name].plant_dynamics for name in bones]) * _STRENGTH.unit
    rows, broken = stresses[:, bending], snapped[:, bending]
    breaks = broken & (np.cumsum(broken, axis=0) == 1)
    rows = np.where(breaks, np.maximum(rows, strength), rows)
    over = breaks | ((rows > strength) & (strength > 0.0))
    first = (start + over.argmax(axis=0)).tolist()
    return Stresses(
        bones, rows.max(axis=0), start + rows.argmax(axis=0), strength,
        tuple(frame if any_ else None for frame, any_ in zip(first, over.any(axis=0).tolist(), strict=True)),
        start, start + len(rows) - 1,
    )  # fmt: skip
