# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots as plain arrays, to be kept in a file, and back. What comes from a file is checked before it is used."""

from collections.abc import Mapping

import numpy as np

from .base.constants import LARGEST
from .base.errors import SolverError
from .contact.obstacles import NO_COLLIDERS, Colliders
from .contact.pairs import PAIR_SLOTS
from .contact.touch import NO_CONTACTS, SLOTS, Contacts
from .dynamics.breaking import Broken, nothing_broken
from .dynamics.opening import HANGS, OFF, WHOLE
from .dynamics.touching.near_pairs import Paired, no_pairs
from .forces.loads import SHARED, Loads
from .guides.curves import NO_CURVES, Curves
from .guides.pull_reader import NO_PULLS
from .guides.pulls import Pulls
from .guides.shapes import Shapes, are_there
from .guides.surfaces import NO_SURFACES, Surfaces
from .guides.tie_reader import NO_TIES
from .guides.ties import Ties
from .model.model import State
from .simulation import Simulation
from .snapshot import Snapshot
from .world.base_motion import MovingBase, bases_at_rest

#: Energies that are not known are 1e300, see State.
_MOST = 1e300


def snapshot_arrays(snapshot: Snapshot) -> dict[str, np.ndarray]:
    """Everything of a snapshot, as arrays of numbers by name."""
    loads = snapshot.loads._asdict()
    pulls, ties = loads.pop("pulls")._asdict(), loads.pop("ties")._asdict()
    shapes = pulls.pop("shapes")
    parts = {
        "state": snapshot.state._asdict(), "curves": shapes.curves._asdict(), "pulls": pulls, "ties": ties,
        "loads": loads, "bases": snapshot.bases._asdict(),
    }  # fmt: skip
    if len(shapes.surfaces.key):
        parts["surfaces"] = shapes.surfaces._asdict()
    if len(snapshot.colliders.key):
        parts |= {"colliders": snapshot.colliders._asdict(), "contacts": snapshot.contacts._asdict()}
    if snapshot.broken.cracked.any():
        parts["broken"] = snapshot.broken._asdict()
    if snapshot.paired is not None:
        parts["paired"] = snapshot.paired._asdict()
    arrays = {f"{part}.{name}": np.array(value) for part, of in parts.items() for name, value in of.items()}
    return arrays | {"time": np.array(snapshot.time)}


def snapshot_from_arrays(simulation: Simulation, arrays: Mapping[str, np.ndarray]) -> Snapshot:
    """A snapshot that this simulation can be restored to. Raises SolverError if the arrays are not of one."""
    n, plants, panels = simulation.model.body_count, simulation.plant_count, len(simulation.model.panels.rod)
    m = simulation.model.rod_count
    like = Loads(np.zeros((plants, SHARED)), NO_PULLS)._asdict()
    counts = {
        "applied": n, "air": panels, "plate_air": panels, "field": 2 * n, "pose": n, "follow": n, "path": n,
        "lengths": m, "way": m,
    }  # fmt: skip
    for name, rows in counts.items():
        if len(np.atleast_1d(arrays.get(f"loads.{name}", ()))):
            like[name] = np.zeros((rows, like[name].shape[1]))
    like.pop("pulls"), like.pop("ties")
    pulls, ties = _pulls(arrays, n), _ties(arrays, n)
    bases = bases_at_rest(np.zeros((plants, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (plants, 1)))
    colliders, contacts = _touched(simulation, arrays)
    return Snapshot(
        State(**_alike("state", simulation.state._asdict(), arrays, _MOST)),
        Loads(pulls=pulls, ties=ties, **_alike("loads", like, arrays, LARGEST)),
        MovingBase(**_alike("bases", bases._asdict(), arrays, LARGEST)),
        _alike("", {"time": 0.0}, arrays, LARGEST)["time"],
        _broken(simulation, arrays),
        colliders,
        contacts,
        _paired(simulation, arrays),
    )


def _pulls(arrays: Mapping[str, np.ndarray], bodies: int) -> Pulls:
    """What holds bodies, of which there are so many."""
    curves = Curves(**_alike("curves", _as_many("curves", NO_CURVES._asdict(), arrays), arrays, LARGEST))
    shapes = Shapes(curves, _surfaces(arrays))
    like = NO_PULLS._asdict()
    like.pop("shapes")
    pulls = Pulls(shapes=shapes, **_alike("pulls", _as_many("pulls", like, arrays), arrays, LARGEST))
    good = len({len(one) for one in pulls[:5]}) == 1 and len({len(one) for one in curves[3:]}) == 1
    good = good and len(curves.closed) == len(curves.key) == len(curves.first) - 1 and curves.first[0] == 0
    good = good and bool(curves.first[-1] == len(curves.start) and (np.diff(curves.first) > 0).all())
    good = good and bool(((pulls.body >= -1) & (pulls.body < bodies)).all())
    if not good or not are_there(pulls.on, shapes):
        raise SolverError("the snapshot pulls a body that is not there")
    return pulls


def _surfaces(arrays: Mapping[str, np.ndarray]) -> Surfaces:
    """On what points slide."""
    if "surfaces.key" not in arrays:
        return NO_SURFACES
    found = Surfaces(**_alike("surfaces", _as_many("surfaces", NO_SURFACES._asdict(), arrays), arrays, 1e300))
    c, t, v, nodes = (len(one) for one in (found.key, found.triangles, found.vertices, found.boxes))
    good = len(found.first) == c + 1 and len(found.tree) == c and len(found.normals) == 3 * t
    good = good and len(found.beside) == len(found.order) == t
    within = (
        (found.triangles, 0, v), (found.beside, -1, 6 * t), (found.order, 0, t), (found.first, 0, np.array([t, v]) + 1),
        (found.tree[:, 0] + 2 * found.tree[:, 1] - 1, 1, nodes + 1),
    )  # fmt: skip
    if not good or not all(((one >= low) & (one < high)).all() for one, low, high in within):
        raise SolverError("the snapshot holds on a surface that is not there")
    return found


def _ties(arrays: Mapping[str, np.ndarray], bodies: int) -> Ties:
    """What ties bodies, of which there are so many."""
    ties = Ties(**_alike("ties", _as_many("ties", NO_TIES._asdict(), arrays), arrays, LARGEST))
    good = len({len(one) for one in ties}) == 1 and (ties.ways >= 0).all()
    if not good or not ((ties.body >= 0) & (ties.body < bodies)).all():
        raise SolverError("the snapshot ties a body that is not there")
    return ties


def _touched(simulation: Simulation, arrays: Mapping[str, np.ndarray]) -> tuple[Colliders, Contacts]:
    """What plants touched, of which there may be any number."""
    if "colliders.key" not in arrays:
        return NO_COLLIDERS, NO_CONTACTS
    colliders = Colliders(**_alike("colliders", _as_many("colliders", NO_COLLIDERS._asdict(), arrays), arrays, LARGEST))
    contacts = Contacts(**_alike("contacts", _as_many("contacts", NO_CONTACTS._asdict(), arrays), arrays, LARGEST))
    c, points = len(colliders.key), SLOTS * len(simulation.model.shapes.body)
    same = len({len(one) for one in colliders[:7]}) == 1 and len(colliders.first) == c + 1
    same = same and len({len(one) for one in contacts[:3]}) == 1 and len(colliders.flow) == len(colliders.vertices)
    ends = np.array([len(colliders.triangles), len(colliders.vertices)])
    within = (
        (colliders.triangles, len(colliders.vertices)), (contacts.point, points), (contacts.marks[:, 0], c),
        (contacts.left_alone[:, 0], points // SLOTS), (contacts.left_alone[:, 1], 2 * c), (colliders.first, ends + 1),
    )  # fmt: skip
    if not same or not all(((one >= 0) & (one < most)).all() for one, most in within):
        raise SolverError("the snapshot touches what is not there")
    return colliders, contacts


def _broken(simulation: Simulation, arrays: Mapping[str, np.ndarray]) -> Broken:
    """What is not whole any more."""
    bodies = np.array([model.body_count for model in simulation.systems])
    like = nothing_broken(len(bodies), int(bodies.sum()))
    if "broken.cracked" not in arrays:
        return like
    loose = _as_many("broken", {name: getattr(like, name) for name in ("body", "orientation", "state")}, arrays)
    broken = Broken(**_alike("broken", like._asdict() | loose, arrays, LARGEST))
    k = len(broken.body)
    good = (broken.used >= 0).all() and broken.used.sum() == k == len(broken.state) == len(broken.orientation)
    good = good and np.isin(broken.cracked, (WHOLE, HANGS, OFF)).all()
    if not good or not ((broken.body >= 0) & (broken.body < np.repeat(bodies, broken.used))).all():
        raise SolverError("the snapshot's breaks are not there")
    return broken


def _paired(simulation: Simulation, arrays: Mapping[str, np.ndarray]) -> Paired | None:
    """What touched of plants, None where they touched neither themselves nor each other."""
    if "paired.used" not in arrays:
        return None
    like = no_pairs(simulation.system_count, simulation.plant_count)._asdict()
    of_plants = "used", "dense", "wanted"
    like |= _as_many("paired", {name: one for name, one in like.items() if name not in of_plants}, arrays)
    paired = Paired(**_alike("paired", like, arrays, LARGEST))
    k = len(paired.ends)
    good = (paired.used >= 0).all() and paired.used.sum() == k == len(paired.alone) == len(paired.allowed)
    good = good and (paired.dense >= 0).all() and len(paired.marks) == len(paired.kept) == PAIR_SLOTS * k
    shapes = np.array([len(model.shapes.body) for model in simulation.systems])
    within = good and (paired.ends[:, 1] < np.repeat(shapes, paired.used)).all()
    if not within or not ((paired.ends[:, 0] >= 0) & (paired.ends[:, 0] < paired.ends[:, 1])).all():
        raise SolverError("the snapshot's plants touch themselves where they are not")
    return paired


def _as_many(part: str, like: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays like these, with as many rows as those of the file have."""
    counts = {name: len(np.atleast_1d(arrays.get(f"{part}.{name}", ()))) for name in like}
    return {name: np.zeros((counts[name], *one.shape[1:]), one.dtype) for name, one in like.items()}


def _alike(part: str, like: Mapping[str, object], arrays: Mapping[str, np.ndarray], most: float) -> dict:
    """The arrays of a part with the shapes and kinds of numbers of those given; single numbers as Python's."""
    found = {}
    for name, value in like.items():
        full = f"{part}.{name}" if part else name
        wanted, array = np.asarray(value), arrays.get(full)
        if array is None or array.shape != wanted.shape or array.dtype != wanted.dtype:
            raise SolverError(f"the snapshot is of another plant: {full}")
        if array.dtype.kind == "f" and not (np.abs(array) <= most).all():
            raise SolverError(f"the snapshot's {full} is not finite")
        found[name] = np.ascontiguousarray(array) if isinstance(value, np.ndarray) else array.item()
    return found
