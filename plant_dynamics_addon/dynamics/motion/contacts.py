# SPDX-License-Identifier: GPL-3.0-or-later
"""Where plants touch things in the frames that are known of their motion."""

from collections.abc import Iterator

import bpy

from ....solver import ContactPoints, left_alone
from ...plants import dynamic_objects
from .session import Session
from .sessions import session_of


def drawn_through(session: Session) -> dict[str, list[str]]:
    """By the names of colliders the bones that overlap them at the start, which is left alone until they part. Bones
    that stand on the plant's base are none of them: most grow out of something."""
    frames, worlds = session.known.frames, session.recording.worlds
    snapshot = frames[0].snapshot if frames and worlds else None
    if snapshot is None:
        return {}
    plant, names = session.plant, [one.name for one in worlds[0].colliders]
    found: dict[str, list[str]] = {}
    for rod, collider in left_alone(plant.model, snapshot).tolist():
        if plant.parent[rod] >= 0:
            found.setdefault(names[collider], []).append(plant.bones[rod])
    return found


def contacts_at(session: Session, frame: int) -> ContactPoints | None:
    """What is touched in a frame; None where the frame is not known, or there is nothing to touch."""
    index = session.recording.index(frame)
    return session.known.frames[index].contacts if index < len(session.known) else None


def shown_contacts(scene: bpy.types.Scene) -> Iterator[tuple[bpy.types.Object, float, ContactPoints]]:
    """The plants whose contacts are to be seen, with what they weigh on Earth (N), and what they touch at the scene's
    frame."""
    for obj in dynamic_objects(scene):
        session = session_of(obj) if obj.plant_dynamics.contact.show_in_viewport else None
        contacts = None if session is None else contacts_at(session, scene.frame_current)
        if session is not None and contacts is not None and len(contacts.rod):
            yield obj, 9.81 * float(session.plant.model.bodies.mass.sum()), contacts
