# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of a plant's motion that are known: what Play shows, Bake writes and a render uses. Needs no Blender."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ....solver import COARSE, LIMITED, STOPPED, Equilibrium, Sample, Snapshot
from ..cache.cached_frames import CachedFrames, Frame

#: Every so many frames the state is kept, which takes far more memory than the pose; others are simulated from there.
KEPT_EVERY = 8


class Break(NamedTuple):
    """Index of the frame, which of the simulated bones, and what has become of its joint."""

    index: int
    bone: int
    state: int


class KnownFrames:
    """Frames from the first on; behind them what is remembered in case the world is as it was.

    equilibrium and first_mode (Hz): how the start went; revisions: how often frames were forgotten, for those after
    that may be others
    """

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.equilibrium: Equilibrium | None = None
        self.first_mode: float | None = None
        self.revisions = 0
        self.remembered = CachedFrames()
        self._sound = 0  # so many frames are without trouble
        self._breaks: list[Break] = []
        self._looked_at = 0  # so many frames have been looked through for breaks

    def __len__(self) -> int:
        return len(self.frames)

    def truncate(self, count: int) -> None:
        """Forget all frames but so many."""
        self.revisions += 1
        del self.frames[count:]
        self._sound, self._looked_at = min(self._sound, count), min(self._looked_at, count)
        self._breaks = [one for one in self._breaks if one.index < count]

    def all(self) -> CachedFrames:
        """All frames that there are, and behind them those that are remembered."""
        return CachedFrames(self.frames + self.remembered.frames[len(self) :], self.equilibrium, self.first_mode)

    def remembers(self, world: Sample) -> bool:
        """Whether the next frame, which is of this world, is among those that are remembered."""
        index, frames = len(self), self.remembered.frames
        return index < len(frames) and frames[index].fits(world)

    def recall(self, world: Sample) -> None:
        """Have the next frame, which is of this world, from those that are remembered."""
        index, before = len(self), self.remembered
        if index == 0:
            self.equilibrium, self.first_mode = before.equilibrium, before.first_mode
        self.frames.append(replace(before.frames[index], world=world))

    def keep(self, index: int, snapshot: Snapshot | None) -> None:
        """Keep this state of a known frame, or none."""
        self.frames[index] = replace(self.frames[index], snapshot=snapshot)

    def kept_before(self, index: int) -> int:
        """The last frame up to this one whose state is kept."""
        return max(i for i in range(index + 1) if self.frames[i].snapshot is not None)

    def first_stopped(self) -> int | None:
        """The first frame that was stopped, if there is one."""
        while self._sound < len(self):
            if _status(self.frames[self._sound]) == STOPPED:
                return self._sound
            self._sound += 1
        return None

    def breaks(self) -> list[Break]:
        """What has broken in the frames, in their order."""
        for index in range(self._looked_at, len(self)):
            now = self.frames[index].broken
            if now is not None:
                before = self.frames[index - 1].broken if index else None
                new = now.state != (0 if before is None else before.state)
                self._breaks += [Break(index, bone, int(now.state[bone])) for bone in np.flatnonzero(new).tolist()]
        self._looked_at = len(self)
        return self._breaks

    def first_limited(self) -> int | None:
        """The first frame that was slowed down, if there is one."""
        return next((i for i, frame in enumerate(self.frames) if _status(frame) == LIMITED), None)

    def first_crowded(self) -> int | None:
        """The first frame that brought more bones near each other than it could take, if there is one."""
        return next((i for i, frame in enumerate(self.frames) if frame.report and frame.report.crowded), None)

    def coarse_share(self) -> float:
        """Share of the frames whose error is larger than asked for."""
        statuses = [_status(frame) for frame in self.frames if frame.report is not None]
        return sum(status == COARSE for status in statuses) / max(1, len(statuses))

    def copied(self) -> "KnownFrames":
        """As they are now, while another thread may be adding one."""
        other = KnownFrames()
        other.frames, other.remembered = self.frames[:], self.remembered
        other.equilibrium, other.first_mode, other.revisions = self.equilibrium, self.first_mode, self.revisions
        return other


def _status(frame: Frame) -> int | None:
    return None if frame.report is None else frame.report.status
