# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the mouse holds a plant, frame by frame: part of what acts on it, until it is forgotten or kept as a handle."""

from dataclasses import replace

import numpy as np

from ....solver import Sample
from .samples import Pull, pull_columns


class Grabs:
    """What was held in which frame, and what is held from the next frame on that is shown."""

    def __init__(self) -> None:
        self.frames: dict[int, Pull] = {}
        self.held: Pull | None = None
        self._last: tuple[int, Pull] | None = None  # the frame that was last held

    def first_frame(self) -> int | None:
        """The first in which something was held."""
        return min(self.frames, default=None)

    def let_go(self) -> None:
        """Hold nothing from the next frame on."""
        if self._last is not None:
            frame, grab = self._last
            self.frames[frame + 1] = replace(grab, stiffness=0.0)
        self.held = self._last = None

    def forget(self) -> None:
        """As if nothing had ever been held."""
        self.frames.clear()
        self.held = self._last = None

    def arrive(self, frame: int) -> None:
        """Note that this frame is shown now. What is held moves evenly through frames that were skipped."""
        held, last = self.held, self._last
        if held is None:
            return
        if last is not None and last[0] < frame and (last[1].rod, last[1].along) == (held.rod, held.along):
            start, end = np.array(last[1].target), np.array(held.target)
            for between in range(last[0] + 1, frame):
                share = (between - last[0]) / (frame - last[0])
                self.frames[between] = replace(held, target=tuple(((1.0 - share) * start + share * end).tolist()))
        self.frames[frame] = held
        self._last = frame, held

    def applied(self, sample: Sample, frame: int) -> Sample:
        """The sample of a frame with what is held in it."""
        grab = self.frames.get(frame)
        if grab is None:
            return sample
        columns = pull_columns([grab])
        return replace(sample, **{name: [*getattr(sample, name), *added] for name, added in columns.items()})


def nearest_on_lines(heads: np.ndarray, tails: np.ndarray, point: np.ndarray) -> tuple[int, float, float]:
    """Of lines in the plane, (n, 2) each end, the one nearest to a point: its index, where on it (0 to 1), how far."""
    span = tails - heads
    length2 = np.maximum((span * span).sum(axis=1), 1e-12)
    along = np.clip(((point - heads) * span).sum(axis=1) / length2, 0.0, 1.0)
    apart = np.linalg.norm(heads + along[:, None] * span - point, axis=1)
    nearest = int(np.argmin(apart))
    return nearest, float(along[nearest]), float(apart[nearest])
