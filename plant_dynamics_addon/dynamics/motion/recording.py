# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant stands in, frame by frame, as the scene's frames have been looked at."""

from dataclasses import dataclass, field, replace

from ....solver import Sample
from ..surroundings.grabs import Grabs


@dataclass
class Recording:
    """Worlds of frames in a row.

    start_frame: the first; frame_duration (s): of each; worlds: one for each frame from the first on; grabs: where the
    mouse has held the plant, which is part of the worlds
    """

    start_frame: int
    frame_duration: float
    worlds: list[Sample] = field(default_factory=list)
    grabs: Grabs = field(default_factory=Grabs)

    @property
    def time_base(self) -> tuple[int, float]:
        """First frame and duration, as of a scene."""
        return self.start_frame, self.frame_duration

    @property
    def end_frame(self) -> int:
        """Last frame whose world is known; start_frame - 1 when none is."""
        return self.start_frame + len(self.worlds) - 1

    def index(self, frame: int) -> int:
        """Which of the worlds is that of a frame; frames before the first are like the first."""
        return max(0, frame - self.start_frame)

    def has(self, frame: int) -> bool:
        """Whether the frame's world is known."""
        return self.index(frame) < len(self.worlds)

    def on_the_way_to(self, index: int) -> Sample:
        """The world from the frame before to that of the index: in it are also the colliders that are gone at this
        frame, as they last were, for they are gone from it on. So nothing falls through what is gone at one frame."""
        world = self.worlds[index]
        before = self.worlds[index - 1].colliders if index else ()
        if not before or before is world.colliders:
            return world
        there = {one.name for one in world.colliders}
        gone = [one for one in before if one.name not in there]
        return replace(world, colliders=(*world.colliders, *gone)) if gone else world

    def drop(self, frame: int) -> None:
        """The world is another from this frame on."""
        del self.worlds[self.index(frame) :]

    def adopt(self, other: "Recording") -> None:
        """Take over what another one knows of the same scene."""
        if other.time_base == self.time_base:
            self.worlds, self.grabs = list(other.worlds), other.grabs

    def copied(self) -> "Recording":
        """As it is now; what the mouse holds stays common."""
        return replace(self, worlds=self.worlds[:])
