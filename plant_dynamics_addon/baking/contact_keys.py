# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact forces as keyed custom properties of pose bones and of the plant, which drivers and materials can read."""

from collections.abc import Mapping

import bpy
import numpy as np

from .keyed_properties import KeyedProperties

#: In N: of a bone what pushes and rubs it, of the plant's object the sum of its bones'.
PROPERTY = "contact_force"

CONTACT_KEYS = KeyedProperties("Contact", {PROPERTY: "Contact force in N"})


def write_contact_keys(obj: bpy.types.Object, forces: Mapping[str, np.ndarray], first: int) -> None:
    """Key the forces (frames,) N of bones, by their names, from the frame first on, in place of those there were."""
    total = np.sum(list(forces.values()), axis=0)
    CONTACT_KEYS.write(obj, {PROPERTY: {"": total, **forces}}, first)
