# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of a plant's motion that are known: what Play shows, Bake writes and a render uses."""

import numpy as np

from ....solver import COARSE, LIMITED, STOPPED, Equilibrium, Report, Sample, Snapshot
from ..cache.cached_frames import Frame, Remembered

#: Every so many frames the state is kept, which takes far more memory than the pose; others are simulated from there.
KEPT_EVERY = 8


class KnownFrames:
    """Frames from the first on: pose channels, how each went, and of some the state to go on from; behind them what is
    remembered in case the world is as it was.

    equilibrium and first_mode (Hz): how the start went; revisions: how often frames were forgotten, for those after
    that may be others
    """

    def __init__(self) -> None:
        self.channels: list[np.ndarray] = []
        self.reports: list[Report | None] = []
        self.snapshots: list[Snapshot | None] = []
        self.equilibrium: Equilibrium | None = None
        self.first_mode: float | None = None
        self.revisions = 0
        self._remembered = Remembered()
        self._sound = 0  # so many frames are without trouble

    def __len__(self) -> int:
        return len(self.channels)

    @property
    def remembered(self) -> int:
        """How many there are with those that need not be simulated again if nothing up to them has changed."""
        return max(len(self), len(self._remembered.frames))

    def add(self, channels: np.ndarray, report: Report | None, snapshot: Snapshot | None) -> None:
        """The next frame."""
        self.channels.append(channels)
        self.snapshots.append(snapshot)
        self.reports.append(report)

    def truncate(self, count: int) -> None:
        """Forget all frames but so many."""
        self.revisions += 1
        del self.channels[count:], self.snapshots[count:], self.reports[count:]
        self._sound = min(self._sound, count)

    def all(self, worlds: list[Sample]) -> Remembered:
        """All frames that there are, the known ones, which were made in these worlds, and behind them those that are
        remembered."""
        rows = zip(worlds[: len(self)], self.channels, self.reports, self.snapshots, strict=True)
        behind = self._remembered.behind([Frame(*row) for row in rows])
        return Remembered(behind, self.equilibrium, self.first_mode)

    def remember(self, frames: Remembered) -> None:
        """Take these, instead of simulating, as far as the world is found to be theirs."""
        self._remembered = frames

    def recall(self, worlds: list[Sample]) -> None:
        """The last of these worlds has just been found: have its frame from those that are remembered, or forget them
        if it is not theirs."""
        index = len(worlds) - 1
        if not self._remembered.frames or index != len(self):
            return
        frame = self._remembered.take(index, worlds[index])
        if frame is None:
            self._remembered = Remembered()
            return
        if index == 0:
            self.equilibrium, self.first_mode = self._remembered.equilibrium, self._remembered.first_mode
        self.add(frame.channels, frame.report, frame.snapshot)

    def kept_before(self, index: int) -> int:
        """The last frame up to this one whose state is kept."""
        return max(i for i in range(index + 1) if self.snapshots[i] is not None)

    def first_stopped(self) -> int | None:
        """The first frame that was stopped, if there is one."""
        while self._sound < len(self.reports):
            report = self.reports[self._sound]
            if report is not None and report.status == STOPPED:
                return self._sound
            self._sound += 1
        return None

    def first_limited(self) -> int | None:
        """The first frame that was slowed down, if there is one."""
        limited = (i for i, report in enumerate(self.reports) if report is not None and report.status == LIMITED)
        return next(limited, None)

    def coarse_share(self) -> float:
        """Share of the frames whose error is larger than asked for."""
        reports = [report for report in self.reports if report is not None]
        return sum(report.status == COARSE for report in reports) / max(1, len(reports))

    def copied(self) -> "KnownFrames":
        """As they are now, while another thread may be adding one."""
        other = KnownFrames()
        count = min(len(self.channels), len(self.snapshots), len(self.reports))  # a frame is added one by one
        other.channels, other.snapshots = self.channels[:count], self.snapshots[:count]
        other.reports = self.reports[:count]
        other.equilibrium, other.first_mode, other.revisions = self.equilibrium, self.first_mode, self.revisions
        other._remembered = self._remembered
        return other
