# SPDX-License-Identifier: GPL-3.0-or-later
"""Efforts and moments of joints over time, as a picture and as a table."""

import csv
from pathlib import Path

import numpy as np

from ..studio.charts import Chart, Series, draw_page
from ..studio.pictures import save_pixels
from .efforts import Efforts

#: So many bones, those that work hardest, are drawn.
_LINES = 5

_HEADER = ("frame", "time_s", "bone", "effort", "moment_Nm", "moment_x_Nm", "moment_y_Nm", "moment_z_Nm")


def write_table(found: Efforts, path: Path) -> None:
    """A row for every frame and bone: frame, time, bone, effort, moment, and this about the bone's own axes."""
    effort, moment = found.effort, found.moment
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_HEADER)
        for k in range(len(effort)):
            when = found.first + k, f"{k * found.frame_time:.9g}"
            for i, bone in enumerate(found.bones):
                numbers = (effort[k, i], moment[k, i], *found.moments[k, i])
                writer.writerow([*when, bone, *(f"{number:.9g}" for number in numbers)])


def plot(found: Efforts, path: Path) -> None:
    """Efforts and moments of the bones that work hardest, and the largest and mean effort of all bones, as a PNG."""
    effort, moment = found.effort, found.moment
    times = found.frame_time * np.arange(len(effort))
    chosen = [found.bones.index(bone) for bone, *_ in found.hardest(_LINES)] or [0]
    page = [
        Chart("Effort", "s", "1", [Series(times, effort[:, i]) for i in chosen]),
        Chart("Moment", "s", "N m", [Series(times, moment[:, i], found.bones[i]) for i in chosen]),
        Chart("Effort of all bones", "s", "1", [
            Series(times, effort.max(axis=1), "largest"), Series(times, effort.mean(axis=1), "mean"),
        ]),
    ]  # fmt: skip
    save_pixels(draw_page(f"{found.name}, joints that work hardest", page), path)
