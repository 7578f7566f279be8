# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tied to single bones of a plant by their names: loads, children, constraints of other objects."""

from collections.abc import Iterator

import bpy
import numpy as np


class Ties:
    """Made while the plant has its old bones, to be mended when it has new ones."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._obj = obj
        self._before = _tips(obj)

    def mend(self) -> list[str]:
        """What was tied to a bone that is gone is tied to the one of its organ that ends nearest; says what."""
        now, moved = _tips(self._obj), {}
        for owner, name in _tied(self._obj):
            bone = getattr(owner, name)
            if bone and bone not in now and bone in self._before:
                moved[bone] = _nearest(self._before[bone], now)
                setattr(owner, name, moved[bone])
        return [f"What held {old} now holds {new}" for old, new in moved.items()]


_Tip = tuple[str, np.ndarray]


def _tips(obj: bpy.types.Object) -> dict[str, _Tip]:
    """Organ, and where it ends in the object's space, of all bones."""
    return {bone.name: (bone.plant_dynamics.organ, np.array(bone.tail_local)) for bone in obj.data.bones}


def _nearest(gone: _Tip, now: dict[str, _Tip]) -> str:
    organ, place = gone
    alike = {name: tip for name, tip in now.items() if tip[0] == organ} or now
    return min(alike, key=lambda name: float(np.linalg.norm(alike[name][1] - place)))


def _tied(obj: bpy.types.Object) -> Iterator[tuple[bpy.types.bpy_struct, str]]:
    """Everything that names a bone of the object, and the property that does."""
    for load in obj.plant_dynamics.loads:
        yield load, "bone"
    for other in bpy.data.objects:
        if not other.is_editable:
            continue
        if other.parent == obj and other.parent_type == "BONE":
            yield other, "parent_bone"
        for constraint in other.constraints:
            if getattr(constraint, "target", None) == obj and hasattr(constraint, "subtarget"):
                yield constraint, "subtarget"
