# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature object as the solver's rods, and the way back from rod orientations to pose channels."""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ...solver import Model, Rods, SolverError, discretize
from ..errors import PlantError
from .quaternions import conjugate, from_matrices, multiply

_SHORTEST = 1e-6  # m
_MEGA = 1e6


@dataclass(frozen=True)
class Plant:
    """What is simulated of an armature: its model and the n bones behind the model's rods.

    names: bones in the rods' order; pose_index (n,): their place in obj.pose.bones; parent (n,): rod index or -1;
    rest (n, 4): rest orientation in the parent's frame (the armature's for roots); initial (bodies, 3): joint rotation
    vectors at the start; signature: bytes that change when anything of this does.
    """

    names: tuple[str, ...]
    pose_index: np.ndarray
    parent: np.ndarray
    rest: np.ndarray
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
        lever = float(np.linalg.norm(self.model.tail[rod]))
        for joint in self.model.joint[self.chain(rod)]:
            if joint >= 0:
                total += lever**2 / max(float(bodies.stiffness[joint].min()), 1e-12)
                lever += float(np.linalg.norm(bodies.offset[joint]))
        return total

    def reach(self, rod: int) -> float:
        """Length (m) of the way from the root's joint to the rod's tip."""
        joints = self.model.joint[self.chain(rod)]
        moving = joints[joints >= 0][:-1]  # the root's offset leads from the base to the root
        steps = np.linalg.norm(self.model.bodies.offset[moving], axis=1).sum()
        return float(steps + np.linalg.norm(self.model.tail[rod]))

    def torque_for_twist(self, rod: int, angle: float) -> float:
        """Torque (N m) that, on every rod of the chain, turns its tip by the angle (rad) about the stem."""
        total = 0.0
        for above, i in enumerate(self.chain(rod), start=1):
            if self.model.joint[i] >= 0:
                total += above / max(float(self.model.bodies.stiffness[self.model.joint[i], 1]), 1e-12)
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
    columns = _physics(bones, settings, scale)
    try:
        rods = Rods(parent=parent, head=matrices[:, :3, 3] * scale, frame=frame, length=length, **columns)
        model = discretize(rods, settings.layout)
    except SolverError as error:
        raise as_plant_error(error, obj.name, names) from error
    pose_index = {bone.name: i for i, bone in enumerate(obj.pose.bones)}
    of_parent = np.where((parent < 0)[:, None], (1.0, 0.0, 0.0, 0.0), frame[parent])
    initial = np.array([bone.plant_dynamics.initial_rotation for bone in bones], dtype=np.float64)
    numbers = [getattr(rods, name) for name in ("parent", "head", "frame", "length", *columns)]
    signature = b"".join(
        [repr((names, settings.layout)).encode(), initial.tobytes()]
        + [np.ascontiguousarray(array).tobytes() for array in numbers]
    )
    return Plant(
        names=names,
        pose_index=np.array([pose_index[name] for name in names]),
        parent=parent,
        rest=multiply(conjugate(of_parent), frame),
        model=model,
        initial=initial[model.joint >= 0],
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


def _physics(bones: list[bpy.types.Bone], settings: bpy.types.PropertyGroup, scale: float) -> dict[str, np.ndarray]:
    """Columns of Rods that come from materials and overrides."""
    envelope = settings.radius_source == "ENVELOPE"
    n = len(bones)
    names = ("radius_base", "radius_tip", "young", "poisson", "density", "damping_time", "stiffness_factor", "pinned")
    columns = {name: np.empty(n) for name in names}
    explicit = {name: np.full((n, 3), np.nan) for name in ("com", "inertia", "stiffness")}
    explicit["mass"] = np.full(n, np.nan)
    for i, bone in enumerate(bones):
        own = bone.plant_dynamics
        columns["radius_base"][i] = (own.radius_base or (bone.head_radius if envelope else settings.radius)) * scale
        columns["radius_tip"][i] = (own.radius_tip or (bone.tail_radius if envelope else settings.radius)) * scale
        columns["young"][i] = (own.young_modulus or settings.young_modulus) * _MEGA
        columns["poisson"][i] = settings.poisson if own.poisson <= -1.0 else own.poisson
        columns["density"][i] = own.density or settings.density
        columns["damping_time"][i] = settings.damping_time if own.damping_time < 0.0 else own.damping_time
        columns["damping_time"][i] *= settings.damping_factor
        columns["stiffness_factor"][i] = own.stiffness_factor
        columns["pinned"][i] = own.pinned
        if own.use_body:
            explicit["mass"][i] = own.mass
            explicit["com"][i] = own.center_of_mass
            explicit["inertia"][i] = own.inertia
            explicit["stiffness"][i] = own.stiffness
    return columns | {"joint_damping": np.full(n, settings.joint_damping * settings.damping_factor)} | explicit
