# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots as plain arrays, to be kept in a file, and back. What comes from a file is checked before it is used."""

from collections.abc import Mapping

import numpy as np

from .base.constants import LARGEST
from .base.errors import SolverError
from .forces.loads import SHARED, Loads
from .forces.pulls import Pulls, no_pulls
from .model.model import State
from .simulation import Simulation, Snapshot
from .world.base_motion import MovingBase, bases_at_rest

#: Energies that are not known are 1e300, see State.
_MOST = 1e300


def snapshot_arrays(snapshot: Snapshot) -> dict[str, np.ndarray]:
    """Everything of a snapshot, as arrays of numbers by name."""
    loads = snapshot.loads._asdict()
    parts = {
        "state": snapshot.state._asdict(), "pulls": loads.pop("pulls")._asdict(), "loads": loads,
        "bases": snapshot.bases._asdict(),
    }  # fmt: skip
    arrays = {f"{part}.{name}": np.array(value) for part, of in parts.items() for name, value in of.items()}
    return arrays | {"time": np.array(snapshot.time)}


def snapshot_from_arrays(simulation: Simulation, arrays: Mapping[str, np.ndarray]) -> Snapshot:
    """A snapshot that this simulation can be restored to. Raises SolverError if the arrays are not of one."""
    n, plants, panels = simulation.model.body_count, simulation.plant_count, len(simulation.model.panels.rod)
    k = len(np.atleast_1d(arrays.get("pulls.body", ())))
    like = Loads(np.zeros((plants, SHARED)), no_pulls())._asdict()
    for name, rows in (("applied", n), ("air", panels), ("field", 2 * n), ("pose", n)):
        if len(np.atleast_1d(arrays.get(f"loads.{name}", ()))):
            like[name] = np.zeros((rows, like[name].shape[1]))
    pulls = {name: np.zeros((k, *value.shape[1:]), value.dtype) for name, value in like.pop("pulls")._asdict().items()}
    found = Pulls(**_alike("pulls", pulls, arrays, LARGEST))
    if k and not (found.body.min() >= -1 and found.body.max() < n):
        raise SolverError("the snapshot pulls a body that is not there")
    bases = bases_at_rest(np.zeros((plants, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (plants, 1)))
    return Snapshot(
        State(**_alike("state", simulation.state._asdict(), arrays, _MOST)),
        Loads(pulls=found, **_alike("loads", like, arrays, LARGEST)),
        MovingBase(**_alike("bases", bases._asdict(), arrays, LARGEST)),
        _alike("", {"time": 0.0}, arrays, LARGEST)["time"],
    )


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
