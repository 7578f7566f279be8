# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature object as the solver's rods, and the way back from rod orientations to pose channels."""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ...solver import Model, Rods, SolverError, discretize
from ..errors import PlantError
from .quaternions import conjugate, from_matrices, multiply
from .rod_columns import rod_columns, segments_of

_SHORTEST = 1e-6  # m


@dataclass(frozen=True)
class Plant:
    """What is simulated of an armature: its model and the n bones behind the model's rods.

    names: bones in the rods' order; pose_index (n,): their place in obj.pose.bones; parent (n,): rod index or -1;
    rest (n, 4): rest orientation in the parent's frame (the armature's for roots); rods and model: the solver's;
    initial (bodies, 3): joint rotation vectors at the start; signature: bytes that change when anything of this does.
    """

    names: tuple[str, ...]
    pose_index: np.ndarray
    parent: np.ndarray
    rest: np.ndarray
    rods: Rods
    model: Model
    initial: np.ndarray
    signature: bytes

    def channels(self, orientation: np.ndarray) -> np.ndarray:
        """Pose rotations (n, 4) of bones whose frames have these orientations (n, 4) in the armature's frame."""
        of_parent = np.where((self.parent < 0)[:, None], (1.0, 0.0, 0.0, 0.0), orientation[self.parent])
        return multiply(conjugate(self.rest), multiply(conjugate(of_parent), orientation))

    def chain(self, rod: int) -> list[int]:
        """The rods from this one down to its root."""
        rods = []
        while rod >= 0:
            rods.append(rod)
            rod = int(self.parent[rod])
        return rods

    def compliance_at(self, rod: int) -> float:
        """How far (m) the rod's tip gives way per newton at rest, at most, through the bending of all joints below."""
        bodies, total = self.model.bodies, 0.0
        lever, body = float(np.linalg.norm(self.model.tail[rod])), int(self.model.upper[rod])
        while body >= 0:
            total += lever**2 / max(float(bodies.stiffness[body].min()), 1e-12)
            lever += float(np.linalg.norm(bodies.offset[body]))
            body = int(bodies.parent[body])
        return total

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
            return self.names.index(bone)
        except ValueError:
            raise PlantError(f"There is no bone '{bone}' in the armature") from None


def uniform_scale(matrix: Matrix, name: str) -> float:
    """The scale of an object's world matrix, or PlantError when lengths would depend on direction."""
    lengths = [matrix.col[i].xyz.length for i in range(3)]
    if matrix.determinant() <= 0.0:
        raise PlantError(f"'{name}' is mirrored or has zero scale. Apply its scale (Ctrl+A > Scale)")
    if max(lengths) > min(lengths) * 1.001:
        raise PlantError(f"'{name}' is scaled unevenly. Apply its scale (Ctrl+A > Scale)")
    return sum(lengths) / 3.0


def read_armature(obj: bpy.types.Object, matrix_world: Matrix) -> Plant:
    """All bones of the armature object, placed in a world where its matrix is matrix_world.

    Raises PlantError with the bone's name for anything that cannot be simulated.
    """
    settings = obj.plant_dynamics
    scale = uniform_scale(matrix_world, obj.name)
    bones = _parents_first(obj.data.bones)
    if not bones:
        raise PlantError(f"'{obj.name}' has no bones")
    names = tuple(bone.name for bone in bones)
    rod_of = {name: i for i, name in enumerate(names)}
    parent = np.array([rod_of[bone.parent.name] if bone.parent else -1 for bone in bones])
    matrices = np.array([bone.matrix_local for bone in bones], dtype=np.float64)
    frame = from_matrices(matrices[:, :3, :3])
    length = np.array([bone.length for bone in bones], dtype=np.float64) * scale
    for bone, metres in zip(bones, length, strict=True):
        if metres < _SHORTEST:
            raise PlantError(f"Bone '{bone.name}' has no length. Make it longer or delete it")
        if bone.parent and not bone.use_inherit_rotation:
            raise PlantError(f"Bone '{bone.name}' does not inherit rotation. Turn on Inherit Rotation in its Relations")
    if obj.data.pose_position == "REST":
        raise PlantError(f"'{obj.name}' is shown in Rest Position. Choose Pose Position in its Pose panel")
    columns, segments = rod_columns(bones, settings, scale), segments_of(bones, settings)
    tip_error = 0.01 * settings.tip_error if settings.use_tip_error else None
    try:
        rods = Rods(parent=parent, head=matrices[:, :3, 3] * scale, frame=frame, length=length, **columns)
        model = discretize(rods, settings.layout, segments, tip_error)
    except SolverError as error:
        raise as_plant_error(error, obj.name, names) from error
    pose_index = {bone.name: i for i, bone in enumerate(obj.pose.bones)}
    of_parent = np.where((parent < 0)[:, None], (1.0, 0.0, 0.0, 0.0), frame[parent])
    initial = np.array([bone.plant_dynamics.initial_rotation for bone in bones], dtype=np.float64)
    numbers = [getattr(rods, name) for name in ("parent", "head", "frame", "length", *columns)]
    signature = b"".join(
        [repr((names, settings.layout, tip_error)).encode(), segments.tobytes(), initial.tobytes()]
        + [np.ascontiguousarray(array).tobytes() for array in numbers]
    )
    return Plant(
        names=names,
        pose_index=np.array([pose_index[name] for name in names]),
        parent=parent,
        rest=multiply(conjugate(of_parent), frame),
        rods=rods,
        model=model,
        initial=model.share_out(initial),
        signature=signature,
    )


def as_plant_error(error: SolverError, obj: str, names: tuple[str, ...]) -> PlantError:
    """The same error with the bone's name instead of the rod's number."""
    if error.rod is None:
        return PlantError(f"'{obj}': {error.message}")
    return PlantError(f"'{obj}', bone '{names[error.rod]}': {error.message}")


def _parents_first(bones: bpy.types.ArmatureBones) -> list[bpy.types.Bone]:
    ordered: list[bpy.types.Bone] = []
    waiting = [bone for bone in reversed(bones) if bone.parent is None]
    while waiting:
        bone = waiting.pop()
        ordered.append(bone)
        waiting.extend(reversed(bone.children))
    return ordered
