# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that were simulated before, to be had again without simulating while the world is as it was."""

from dataclasses import dataclass, field, replace

import numpy as np

from ....solver import ContactPoints, Equilibrium, Report, Sample, Snapshot
from ..rig.broken_bones import BrokenBones, broken_between
from ..rig.keyed.led_bones import LedBones, led_between
from ..rig.rotation_channels import between, things_between
from ..surroundings.samples import same
from .digests import sample_digest

#: Of no bones, (0,) N.
NO_PUSHES = np.zeros(0)


@dataclass(frozen=True)
class Frame:
    """One frame: the world it was made in, as it is or as its digest; pose channels (n, 4); how it went; the state to
    go on from, where that was kept; what was touched, None where there was nothing to touch; what is broken, if
    anything is; what constraints move or stretch, if they do; location and rotation (t, 7) of the things that
    the plant moves; what pushed its bones (m,) N, or (0,) where there was nothing to touch."""

    world: Sample | bytes
    channels: np.ndarray
    report: Report | None
    snapshot: Snapshot | None
    contacts: ContactPoints | None = None
    broken: BrokenBones | None = None
    led: LedBones | None = None
    things: np.ndarray = field(default_factory=lambda: np.zeros((0, 7)))
    pushes: np.ndarray = field(default_factory=lambda: NO_PUSHES)

    def fits(self, sample: Sample) -> bool:
        """Whether the world is the one that the frame was made in, to the last bit."""
        if isinstance(self.world, bytes):
            return self.world == sample_digest(sample)
        return same(self.world, sample)

    def towards(self, other: "Frame", share: float) -> "Frame":
        """What is shown a share of the way to the next one, as keys of a bake would have it."""
        return replace(
            self, channels=between(self.channels, other.channels, share),
            broken=broken_between(self.broken, other.broken, share), led=led_between(self.led, other.led, share),
            things=things_between(self.things, other.things, share),
        )  # fmt: skip

    def digest(self) -> bytes | None:
        """That of its world; None where it cannot be known again in another run of Blender."""
        return self.world if isinstance(self.world, bytes) else sample_digest(self.world)


@dataclass(frozen=True)
class CachedFrames:
    """Frames from the first on. Each holds only as long as it and all before it fit the world.

    equilibrium and first_mode (Hz): how the start went
    """

    frames: list[Frame] = field(default_factory=list)
    equilibrium: Equilibrium | None = None
    first_mode: float | None = None
