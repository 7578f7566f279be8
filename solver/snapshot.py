# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulation goes on from."""

from dataclasses import dataclass

from .contact.obstacles import NO_COLLIDERS, Colliders
from .contact.touch import NO_CONTACTS, Contacts
from .dynamics.breaking import Broken
from .dynamics.touching.near_pairs import Paired
from .forces.loads import Loads
from .model.model import State
from .world.base_motion import MovingBase


@dataclass(frozen=True)
class Snapshot:
    """Everything a simulation needs to go on from a frame; opaque to others."""

    state: State
    loads: Loads
    bases: MovingBase
    time: float
    broken: Broken
    colliders: Colliders = NO_COLLIDERS
    contacts: Contacts = NO_CONTACTS
    paired: Paired | None = None
