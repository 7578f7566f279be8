# SPDX-License-Identifier: GPL-3.0-or-later
"""The live plants of a scene that go on together from frame to frame, on all cores.

They move to the last bit as each alone. Who is behind goes first, until the others can go with it. Who cannot go with
them, for it stands in another air or makes their step fail, goes alone; if it fails there, it is left to say so itself.
"""

import math
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from time import perf_counter

import bpy
import numpy as np

from ....solver import SideBySide, SolverError, can_go_together
from ...errors import PlantError
from ...giving_up import unless_given_up
from ...memory import Memory
from ..cache.cached_frames import NO_PUSHES
from .known_frames import KEPT_EVERY
from .session import Session


class _Company:
    """Sessions that have gone together up to a frame."""

    def __init__(self, sessions: Sequence[Session], index: int):
        self.sessions, self.index, self.who = list(sessions), index, _who(sessions)
        self._together = SideBySide([session.brought_to(index) for session in sessions])

    def advance(self) -> bool:
        """Have all know the next frame; false where one has none."""
        self.index += 1
        worlds = [session.recording.on_the_way_to(self.index) for session in self.sessions]
        reports = self._together.advance(worlds, self.sessions[0].recording.frame_duration)
        kept = self.index % KEPT_EVERY == 0
        snapshots = self._together.snapshots() if kept else [None] * len(reports)
        broken, together = self._together.broken(), self._together
        heads = together.rod_heads() if any(one.any() for one in broken) else [None] * len(reports)
        rows = zip(self.sessions, together.rod_orientations(), reports, broken, heads, snapshots, strict=True)
        taken = [one.take(*row, None, NO_PUSHES, np.zeros((0, 7)), snapshot) for one, *row, snapshot in rows]
        return all(taken)


class Stage:
    """Who goes together in a scene."""

    def __init__(self) -> None:
        self._companies: list[_Company] = []

    def simulate(self, sessions: Collection[Session], frame: int, until: float = math.inf) -> None:
        """Have the sessions know their frames up to this one while two or more lack some, and before that time (as
        perf_counter tells it)."""
        if len(sessions) < 2:
            self._companies = []
            return
        with ExitStack() as holding:
            free = [session for session in sessions if holding.enter_context(session.held())]
            there = set(map(id, free))
            self._companies = [one for one in self._companies if there.issuperset(map(id, one.sessions))]
            while len(waiting := [one for one in free if one.end_frame < frame and one.lacks_next()]) > 1:
                unless_given_up()
                index = min(len(one.known) for one in waiting)
                behind = [one for one in waiting if len(one.known) == index]
                self._companies = [company for company in self._matched(behind, index) if _goes(company)]
                for session in behind:
                    if len(session.known) == index and not _goes_alone(session):
                        free.remove(session)
                    if perf_counter() > until:
                        return

    def _matched(self, waiting: list[Session], index: int) -> list[_Company]:
        """Those who stand at the frame before, in companies of two and more; the ones from before where they fit. None
        at the first frame, where each settles by itself."""
        groups: list[list[Session]] = []
        for session in [one for one in waiting if one.course.is_alone] if index else ():
            fitting = next((group for group in groups if _fit(group[0], session, index)), None)
            if fitting is None:
                groups.append([session])
            else:
                fitting.append(session)
        before = {one.who: one for one in self._companies if one.index == index - 1}
        found = []
        for group in (group for group in groups if len(group) > 1):
            try:
                found.append(before.get(_who(group)) or _Company(group, index - 1))
            except (SolverError, PlantError):  # each says so itself
                continue
        return found


def _who(sessions: Sequence[Session]) -> tuple[tuple[int, int], ...]:
    """These sessions with their frames as they are; a company holds its own, so that no other is taken for one."""
    return tuple((id(session), session.known.revisions) for session in sessions)


def _fit(one: Session, other: Session, index: int) -> bool:
    same_time = one.recording.time_base == other.recording.time_base
    same = same_time and one.manner.solver == other.manner.solver
    return same and can_go_together(one.recording.on_the_way_to(index), other.recording.on_the_way_to(index))


def _goes(company: _Company) -> bool:
    try:
        return company.advance()
    except (SolverError, PlantError):  # each of them goes alone then
        return False


def _goes_alone(session: Session) -> bool:
    unless_given_up()
    try:
        session.simulate_next()
    except PlantError:  # it says so itself
        return False
    return True


_stages: Memory[Stage] = Memory()


def stage_of(scene: bpy.types.Scene) -> Stage:
    """The scene's."""
    return _stages.of(scene) or _stages.keep(scene, Stage())
