# SPDX-License-Identifier: GPL-3.0-or-later
"""Where plants touch things in the frames that are known of their motion."""

from collections.abc import Iterator
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ....solver import ContactPoints, Snapshot, left_alone, pairs_left_alone
from ...memory import Memory
from ...plants import dynamic_objects
from ..rig.plant import Plant
from ..surroundings.instances import told
from .course import Course
from .motion import Part
from .session import Session
from .sessions import session_of


class _Overlaps(NamedTuple):
    """Of which course and from which state it was read that parts of a plant, by name, begin within what."""

    course: Course
    snapshot: Snapshot
    within: dict[str, list[str]]


#: Read once, for panels ask whenever they are drawn.
_known: Memory[_Overlaps] = Memory()


def drawn_through(session: Session) -> dict[str, list[str]]:
    """What of the plant overlaps at the start, and is left alone until it parts: by the names of colliders, of other
    plants, of things that plants move and of the plant itself the bones within them, and things that it moves.

    Bones that stand on the plant's base are left out, for most grow out of something; so are bones of the plant that
    lie next to each other.
    """
    course = session.course
    first = course.sessions[0].known.frames[:1]  # states are kept there
    snapshot = first[0].snapshot if first else None
    if snapshot is None:
        return {}
    model = course.motion.simulation.model
    if len(snapshot.state.q) != model.body_count or snapshot.contacts.left_alone[:, 0].max(initial=-1) >= len(
        model.shapes.body
    ):  # things have been changed, and what is known is not yet
        return {}
    known = _known.get(session.uid)
    if known is None or known.course is not course or known.snapshot is not snapshot:
        known = _known[session.uid] = _Overlaps(course, snapshot, _overlaps(session, snapshot))
    return known.within


def _overlaps(session: Session, snapshot: Snapshot) -> dict[str, list[str]]:
    sessions, motion = session.course.sessions, session.course.motion
    plant, number, parts = session.plant, sessions.index(session), motion.parts()
    colliders = [told(one.name) for one in sessions[0].recording.worlds[0].colliders]
    found: dict[str, set[int]] = {}
    for one, collider in left_alone(motion.simulation.model, snapshot).tolist():
        if parts[one].plant == number and not _stands(plant, parts[one]):
            found.setdefault(colliders[collider], set()).add(one)
    for pair in pairs_left_alone(motion.simulation.systems, snapshot).tolist():
        for one, other in (pair, pair[::-1]):
            mine, theirs = parts[one], parts[other]
            if mine.plant != number:
                continue
            if theirs.plant == number and mine.rod >= 0 and theirs.rod >= 0:
                if not _are_near(plant, mine.rod, theirs.rod):
                    found.setdefault(session.name, set()).add(one)
            elif not _stands(plant, mine) and (mine.rod >= 0 or theirs.plant != number):
                name = theirs.name if theirs.rod < 0 else sessions[theirs.plant].name
                found.setdefault(name, set()).add(one)
    return {name: [parts[one].name for one in sorted(rods)] for name, rods in found.items()}


def _stands(plant: Plant, part: Part) -> bool:
    """Whether it is a bone on the plant's base."""
    return part.rod >= 0 and bool(plant.parent[part.rod] < 0)


def _are_near(plant: Plant, one: int, other: int) -> bool:
    """Whether two rods are next to each other, next but one, or grow out of the same."""
    below, other_below = (plant.chain(rod)[:3] for rod in (one, other))
    return other in below or one in other_below or bool(plant.parent[one] == plant.parent[other])


def contacts_at(session: Session, frame: int) -> ContactPoints | None:
    """What is touched in a frame; None where the frame is not known, or there is nothing to touch."""
    index = session.recording.index(frame)
    return session.known.frames[index].contacts if index < len(session.known) else None


def shown_contacts(scene: bpy.types.Scene) -> Iterator[tuple[bpy.types.Object, float, ContactPoints]]:
    """The plants whose contacts are to be seen, with what they weigh on Earth (N), and what they touch at the scene's
    frame, where they stand now: a baked plant may have been carried elsewhere, as those of a comparison's row are."""
    for obj in dynamic_objects(scene):
        session = session_of(obj) if obj.plant_dynamics.contact.show_in_viewport else None
        contacts = None if session is None else contacts_at(session, scene.frame_current)
        if session is not None and contacts is not None and len(contacts.rod):
            moved = _since_simulated(session, obj, scene.frame_current)
            turn = np.array(moved.to_3x3())
            point = contacts.point @ turn.T + np.array(moved.translation)
            placed = contacts._replace(point=point, normal=contacts.normal @ turn.T, force=contacts.force @ turn.T)
            yield obj, 9.81 * float(session.plant.model.bodies.mass.sum()), placed


def _since_simulated(session: Session, obj: bpy.types.Object, frame: int) -> Matrix:
    """How the plant's first carrier has been moved and turned since the frame was simulated."""
    world, carrier = session.recording.worlds[session.recording.index(frame)], session.plant.carriers[0]
    stands = obj.matrix_world if carrier is None else obj.matrix_world @ obj.pose.bones[carrier].matrix
    place, turn, _ = stands.decompose()
    at, turned = np.array(world.base_position)[0], np.array(world.base_orientation)[0]
    stood = Matrix.LocRotScale(Vector(at), Quaternion(turned), None)
    return Matrix.LocRotScale(place, turn, None) @ stood.inverted()
