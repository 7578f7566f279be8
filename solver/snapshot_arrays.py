# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots as plain arrays, to be kept in a file, and back. What comes from a file is checked before it is used."""

from collections.abc import Mapping

import numpy as np

from .base.constants import LARGEST
from .base.errors import SolverError
from .model.model import State
from .simulation import Simulation, Snapshot
from .world.base_motion import MovingBase, bases_at_rest
from .world.loads import Loads, new_loads

#: Energies that are not known are 1e300, see State.
_MOST = 1e300


def snapshot_arrays(snapshot: Snapshot) -> dict[str, np.ndarray]:
    """Everything of a snapshot, as arrays of numbers by name."""
    parts = {
        "state": snapshot.state._asdict(), "loads": snapshot.loads._asdict(), "bases": snapshot.bases._asdict(),
    }  # fmt: skip
    arrays = {f"{part}.{name}": np.array(value) for part, of in parts.items() for name, value in of.items()}
    return arrays | {"time": np.array(snapshot.time)}


def snapshot_from_arrays(simulation: Simulation, arrays: Mapping[str, np.ndarray]) -> Snapshot:
    """A snapshot that this simulation can be restored to. Raises SolverError if the arrays are not of one."""
    n, plants, panels = simulation.model.body_count, simulation.plant_count, len(simulation.model.panels.rod)
    pulls = len(np.atleast_1d(arrays.get("loads.pull_body", ())))
    loads = new_loads(n, pulls, panels)
    for name, rows in (("field", 2 * n), ("pose", n)):
        if len(np.atleast_1d(arrays.get(f"loads.{name}", ()))):
            loads = loads._replace(**{name: np.zeros((rows, getattr(loads, name).shape[1]))})
    bases = bases_at_rest(np.zeros((plants, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (plants, 1)))
    state = State(**_alike("state", simulation.state._asdict(), arrays, _MOST))
    found = Loads(**_alike("loads", loads._asdict(), arrays, LARGEST))
    if pulls and not (found.pull_body.min() >= -1 and found.pull_body.max() < n):
        raise SolverError("the snapshot pulls a body that is not there")
    time = _alike("", {"time": 0.0}, arrays, LARGEST)["time"]
    return Snapshot(state, found, MovingBase(**_alike("bases", bases._asdict(), arrays, LARGEST)), time)


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
