# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of a plant's tip, its energy and what its bones touch with which force, measured from the simulation, as a
table and as a picture."""

import csv
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...solver import Simulation
from ..blender.meanwhile import result_of
from ..blender.timeline import at_first_frame
from ..studio.charts import Chart, Series, draw_page
from ..studio.pictures import save_pixels
from .once_more import once_more, taken_down

_KINDS = ("kinetic", "elastic", "gravitational")
_HEADER = ("frame", "time_s", "tip_x_m", "tip_y_m", "tip_z_m", "angle_deg",
           *(f"{kind}_J" for kind in _KINDS), "total_J", "contact_N", "contact_most_N",
           "contact_most_bone")  # fmt: skip


@dataclass(frozen=True)
class MeasuredMotion:
    """Of k frames: numbers, times (s); world places of tip and base (k, 3) m; energies (k, 3) J, kinetic, elastic and
    gravitational, the last from the first frame on, of all that goes with the plant; bones (b) and the contact forces
    (k, b) N on them."""

    name: str
    bone: str
    frames: np.ndarray
    times: np.ndarray
    tip: np.ndarray
    base: np.ndarray
    energies: np.ndarray
    bones: tuple[str, ...]
    contact: np.ndarray

    def away(self) -> np.ndarray:
        """(k, 2) m: how far the tip is from above the base, horizontally."""
        return (self.tip - self.base)[:, :2]

    def angles(self, direction: np.ndarray | None = None) -> np.ndarray:
        """(k,) degrees between the line from base to tip and the vertical, in the plane of a horizontal direction; if
        none is given, of that in which the tip moves most."""
        direction = swing_direction([self]) if direction is None else direction
        angles = np.arctan2(self.away() @ direction, (self.tip - self.base)[:, 2])
        return np.degrees(np.unwrap(angles))


def swing_direction(motions: Sequence[MeasuredMotion]) -> np.ndarray:
    """The horizontal direction (2) in which the tips move most, from left to right or from front to back."""
    spread = np.concatenate([motion.away() - motion.away().mean(axis=0) for motion in motions])
    if np.abs(spread).max() < 1e-9:
        return np.array([1.0, 0.0])
    direction = np.linalg.svd(spread, full_matrices=False)[2][0]
    return direction * (1.0 if direction[np.argmax(np.abs(direction))] > 0.0 else -1.0)


def measure(
    context: bpy.types.Context, obj: bpy.types.Object, last_frame: int, allow_stopped: bool = False
) -> MeasuredMotion:
    """The motion from the scene's first frame to last_frame, from what the cache has seen of the scene.

    allow_stopped: of a plant too that did not settle or was stopped. Raises PlantError, also where the cache does not
    reach so far.
    """
    return result_of(measured_in_steps(context, obj, last_frame, allow_stopped))


def measured_in_steps(
    context: bpy.types.Context, obj: bpy.types.Object, last_frame: int, allow_stopped: bool = False
) -> Generator[float, None, MeasuredMotion]:
    """The same step by step, yielding progress 0..1."""
    with at_first_frame(context.scene):
        again = once_more(obj, context.scene, context.evaluated_depsgraph_get(), last_frame)
    bones, own = [obj.data.bones[name] for name in again.plant.bones], again.motion.rods_of(again.number)
    tip_bone = max(bones, key=lambda bone: (bone.tail_local - bones[0].head_local).length).name
    rod = again.plant.rod_of(tip_bone)
    rows: list[tuple[np.ndarray, ...]] = []

    def note(simulation: Simulation) -> None:
        tip, base = simulation.rod_tails()[own][rod], simulation.rod_heads()[own][0]
        contact = again.motion.pushes_of(again.number)
        rows.append((tip.copy(), base.copy(), np.array(simulation.energy()), contact))

    yield from taken_down(obj, again, note, allow_stopped)
    tip, base, energies, contact = (np.array(column) for column in zip(*rows, strict=True))
    energies[:, 2] -= energies[0, 2]
    since = np.arange(len(rows))
    return MeasuredMotion(
        obj.name, tip_bone, again.start_frame + since, since * again.recordings[0].frame_duration, tip, base, energies,
        tuple(again.plant.bones), contact,
    )  # fmt: skip


def write_csv(motion: MeasuredMotion, path: Path) -> None:
    """A row for every frame: frame, time, tip, angle, energies, contact forces of all bones together and of the bone
    that is pushed hardest, with its name where one touches anything; SI units, degrees."""
    table = np.column_stack([
        motion.times, motion.tip, motion.angles(), motion.energies, motion.energies.sum(axis=1),
        motion.contact.sum(axis=1), motion.contact.max(axis=1),
    ])  # fmt: skip
    hardest = [motion.bones[i] for i in motion.contact.argmax(axis=1).tolist()]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_HEADER)
        for frame, row, bone in zip(motion.frames.tolist(), table.tolist(), hardest, strict=True):
            writer.writerow([frame, *(f"{value:.9g}" for value in row), bone if row[-1] > 0.0 else ""])


def plot_one(motion: MeasuredMotion, path: Path) -> None:
    """Path of the tip, its angle, energies and, where anything is touched, the contact force over time, as a PNG."""
    t, e, f = motion.times, motion.energies, motion.contact
    page = [
        _path_chart([motion]),
        Chart("Angle of the tip", "s", "°", [Series(t, motion.angles())]),
        Chart("Energy", "s", "J", [Series(t, e.sum(axis=1), "total"), *(
            Series(t, e[:, i], kind) for i, kind in enumerate(_KINDS))]),
    ]  # fmt: skip
    if f.any():
        page.append(_force_chart([Series(t, f.sum(axis=1), "all bones"), Series(t, f.max(axis=1), "hardest pushed")]))
    save_pixels(draw_page(f"{motion.name}, tip of {motion.bone}", page), path)


def plot_together(title: str, motions: Sequence[MeasuredMotion], names: Sequence[str], path: Path) -> None:
    """The tips' paths, angles and kinetic energies of several plants and, where any touches anything, the contact
    forces of all bones of each, as a PNG."""
    pairs, across = list(zip(motions, names, strict=True)), swing_direction(motions)
    page = [
        _path_chart(motions),
        Chart("Angle of the tip", "s", "°", [Series(m.times, m.angles(across), name) for m, name in pairs]),
        Chart("Kinetic energy", "s", "J", [Series(m.times, m.energies[:, 0]) for m in motions]),
    ]
    if any(motion.contact.any() for motion in motions):
        page.append(_force_chart([Series(m.times, m.contact.sum(axis=1)) for m in motions]))
    save_pixels(draw_page(title, page), path)


def _force_chart(lines: list[Series]) -> Chart:
    return Chart("Contact force", "s", "N", lines)


def _path_chart(motions: Sequence[MeasuredMotion]) -> Chart:
    across = swing_direction(motions)
    lines = [Series(motion.away() @ across, (motion.tip - motion.base)[:, 2]) for motion in motions]
    return Chart("Path of the tip, from the side", "m", "m", lines, even=True)
