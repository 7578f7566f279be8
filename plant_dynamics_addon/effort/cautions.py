# SPDX-License-Identifier: GPL-3.0-or-later
"""What of an armature's motion inverse dynamics does not count, for the bones are taken as rigid and jointed."""

import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ...solver import Model, rotations
from ..rigging.warnings import named
from .evaluated import Evaluated
from .rates import turns

#: From how much on it is told: of lengths, in rad, and in rad from one frame to the next.
_SHARE, _TURN, _JUMP = 2e-3, 2e-3, 0.5 * np.pi


def cautions(seen: Evaluated, model: Model, first: int) -> tuple[str, ...]:
    """Sentences with the bones' names, from the first frame on; none where all is counted."""
    found: list[str] = []
    bones, motion = np.array(seen.plant.bones), seen.motion
    shift, turn = _against_parents(seen, model)
    if np.abs(seen.scale - 1.0).max() > _SHARE:
        found.append(rpt_("The armature's scale changes: moments are those of its size at the first frame"))
    stretched = np.abs(seen.stretch - 1.0).max(axis=(0, 2)) > _SHARE
    if stretched.any():
        text = rpt_("Scaled or stretched, and counted at their drawn size: {bones}")
        found.append(text.format(bones=named(bones[stretched])))
    shifted = ~stretched & ~stretched[seen.plant.parent] & (shift > _SHARE * (1e-6 + model.length))
    if shifted.any():
        text = rpt_("Shifted against their parents, which is not counted: {bones}")
        found.append(text.format(bones=named(bones[shifted])))
    if (turn > _TURN).any():
        text = rpt_("Turned though they have no joint, being pinned, too short or not simulated, and counted as part "
                    "of their parents: {bones}")  # fmt: skip
        found.append(text.format(bones=named(bones[turn > _TURN])))
    jumps = np.linalg.norm(turns(motion.orientation), axis=2) > _JUMP
    if jumps.any():
        text = rpt_("Turned by more than 90° from one frame to the next, first at frame {frame}, where moments are "
                    "those of a jump: {bones}")  # fmt: skip
        frame = first + 1 + int(jumps.any(axis=1).argmax())
        found.append(text.format(frame=frame, bones=named(bones[jumps.any(axis=0)])))
    return tuple(found)


def _against_parents(seen: Evaluated, model: Model) -> tuple[np.ndarray, np.ndarray]:
    """(m,) m and rad, the most of all frames: how far each rod's head is from where the rod that bears it has it, and
    of a rod without a joint by how much it is turned. What stands on the base may do as it likes."""
    plant, motion = seen.plant, seen.motion
    shift, turn = np.zeros(len(plant.bones)), np.zeros(len(plant.bones))
    borne = np.flatnonzero((plant.parent >= 0) & (model.lower >= 0))
    below = plant.parent[borne]
    frame, head = motion.orientation[:, below], motion.head
    away = rotations.unrotate(frame, head[:, borne] - head[:, below])
    # Where the armature itself is scaled, all lengths are, which is told once.
    away = away / seen.scale[:, None, None] - plant.offset[borne]
    shift[borne] = np.linalg.norm(away, axis=2).max(axis=0)
    drawn = rotations.multiply(frame, plant.rest[borne])
    turned = rotations.logarithm(rotations.multiply(rotations.conjugate(drawn), motion.orientation[:, borne]))
    turn[borne] = np.linalg.norm(turned, axis=2).max(axis=0)
    turn[model.first_joint >= 0] = 0.0
    noise = 1e-6 * float(np.abs(motion.head).max(initial=0.0))  # of Blender's single precision
    return np.maximum(shift - noise, 0.0), turn
