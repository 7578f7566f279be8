# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard colliders push and rub each bone. Needs no Blender."""

import numpy as np

from ....solver import ContactPoints


def contact_force_of_bones(contacts: ContactPoints, bones: int) -> np.ndarray:
    """(bones,) N: the sum of what normal force and friction together come to at each of a bone's points. Pushes from
    opposite sides add up: a bone that is pinched is pushed hard."""
    return np.bincount(contacts.rod, weights=np.linalg.norm(contacts.force, axis=1), minlength=bones)
