# SPDX-License-Identifier: GPL-3.0-or-later
"""What is simulated of an armature, and the way from the rods' orientations to pose channels."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....solver import Model, Rods, Sample, turns_from_rest
from ...errors import PlantError

if TYPE_CHECKING:
    from .keyed.led_bones import Along
    from .keyed.lengths import Channels
    from .things import Thing

#: A handle's spring is this much stiffer than the plant is where it is pulled.
_HANDLE_OVER_PLANT = 30.0


@dataclass(frozen=True)
class Plant:
    """What is simulated of an armature: its models and the m bones behind their rods, one model for each carrier.

    names: the n bones whose rotations are simulated, in the order of channels; pose_index (n,): their place in
    obj.pose.bones; moving (n,): their rods. The other rods are bones that ride on simulated ones as they are drawn.
    along: bones that are not simulated but led with them
    bones: bones in the rods' order; parent (m,): rod index or -1; rest (m, 4): rest orientation in the parent's frame,
    of roots in their carrier's; carriers: the bone each model stands on, None for the armature object itself; parts and
    models: the solver's rods and models, model: all of them as one
    initial (bodies, 3): joint rotation vectors at the start; animated (k,): rods whose springs follow keys of their
    bones, animated_index (k,): their place in obj.pose.bones, animated_modes: how these are rotated, animated_sources
    (k, 4): what gives their quaternions' channels their values, is_led: whether they follow constraints too, and
    led_as: which of them, see keyed/constraints.py; curl_share (m,): of their leaf's curl, none where leaves do not
    curl; cuttable (c,): rods whose bones may be cut off, and cuttable_index (c,), their place in obj.pose.bones;
    standing: the rods that are nearest to the base and have joints; layout: that of the joints; scale: of the
    armature object; offset (m, 3) m: the rods' heads in their parents' frames at rest, of roots in their carrier's;
    scaling: how their bones take location and scale; signature: bytes that change when anything of this does; things:
    objects that it moves
    """

    names: tuple[str, ...]
    pose_index: np.ndarray
    moving: np.ndarray
    along: "Along"
    bones: tuple[str, ...]
    parent: np.ndarray
    rest: np.ndarray
    carriers: tuple[str | None, ...]
    parts: tuple[Rods, ...]
    models: tuple[Model, ...]
    model: Model
    initial: np.ndarray
    animated: np.ndarray
    animated_index: np.ndarray
    animated_modes: tuple[str, ...]
    animated_sources: np.ndarray
    is_led: bool
    led_as: tuple[bool, tuple[str, ...], tuple[str, ...], frozenset[str]]
    curl_share: np.ndarray
    cuttable: np.ndarray
    cuttable_index: np.ndarray
    standing: np.ndarray
    layout: str
    scale: float
    offset: np.ndarray
    scaling: "Channels"
    signature: bytes
    things: "tuple[Thing, ...]" = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The bones whose channels are shown and baked: the simulated ones, then those that are led along."""
        return self.names + self.along.names

    @cached_property
    def shown_index(self) -> np.ndarray:
        """Their places in obj.pose.bones."""
        return np.concatenate([self.pose_index, self.along.index])

    @cached_property
    def levels(self) -> list[np.ndarray]:
        """The rods by how many others lie between them and their carrier, none first."""
        depth = np.zeros(len(self.parent), dtype=np.int64)
        for rod, below in enumerate(self.parent.tolist()):
            depth[rod] = 0 if below < 0 else depth[below] + 1
        return [np.flatnonzero(depth == level) for level in range(int(depth.max()) + 1)]

    def offsets_in(self, world: Sample) -> np.ndarray:
        """(m, 3) m: the rods' heads in their parents' frames in this world, of roots in their carrier's."""
        if world.shift is None:
            return self.offset
        length = np.concatenate([part.array("length") for part in self.parts])
        offset, inner = self.offset + np.array(world.shift), self.parent >= 0
        offset[inner, 1] += ((np.array(world.stretch) - 1.0) * length)[self.parent[inner]]
        return offset

    def thickness_in(self, world: Sample) -> np.ndarray:
        """(m,) so many times as thick as drawn the rods are in this world."""
        if world.thickness is not None:
            return np.array(world.thickness)
        if world.stretch is None:
            return np.ones(self.model.rod_count)
        thinner: np.ndarray = np.array(world.stretch) ** -0.5
        return thinner

    def channels(self, orientation: np.ndarray) -> np.ndarray:
        """Pose rotations (n, 4) when the rods' frames have these orientations (m, 4) in their carriers' frames."""
        return turns_from_rest(self.parent, self.rest, orientation)[self.moving]

    def chain(self, rod: int) -> list[int]:
        """The rods from this one down to its root."""
        rods = []
        while rod >= 0:
            rods.append(rod)
            rod = int(self.parent[rod])
        return rods

    def beyond(self, rod: int) -> list[int]:
        """The rod and all that it bears."""
        found = {rod}
        for i, parent in enumerate(self.parent[rod:].tolist(), start=rod):
            if parent in found:
                found.add(i)
        return sorted(found)

    def compliance_at(self, rod: int) -> float:
        """How far (m) the rod's tip gives way per newton at rest, at most, through the bending of all joints below."""
        bodies, total = self.model.bodies, 0.0
        lever, body = float(np.linalg.norm(self.model.tail[rod])), int(self.model.upper[rod])
        while body >= 0:
            total += lever**2 / max(float(bodies.stiffness[body].min()), 1e-12)
            lever += float(np.linalg.norm(bodies.offset[body]))
            body = int(bodies.parent[body])
        return total

    def handle_stiffness(self, rod: int) -> float:
        """Spring (N/m) that is much stiffer than the plant where it draws the rod's tip."""
        compliance = self.compliance_at(rod)
        return float(np.clip(_HANDLE_OVER_PLANT / compliance, 1e-3, 1e9)) if compliance > 0.0 else 100.0

    def reach(self, rod: int) -> float:
        """Length (m) of all bones from the root to the rod's tip."""
        return float(self.model.length[self.chain(rod)].sum())

    def torque_for_twist(self, rod: int, angle: float) -> float:
        """Torque (N m) that, on every rod of the chain, turns its tip by the angle (rad) about the stem."""
        model, total = self.model, 0.0
        for above, i in enumerate(self.chain(rod), start=1):
            for joint in range(model.first_joint[i], model.first_joint[i] + model.joint_count[i]):
                total += above / max(float(model.bodies.stiffness[joint, 1]), 1e-12)
        return angle / total if total > 0.0 else 0.0

    def rod_of(self, bone: str) -> int:
        """Index of the bone's rod, or PlantError."""
        try:
            return self.bones.index(bone)
        except ValueError:
            raise PlantError("There is no bone '{bone}' among the simulated ones", bone=bone) from None
