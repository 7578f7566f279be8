# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural frequencies and mode shapes about equilibrium, and damping as a share of critical in the first mode.

The modes solve K x = w^2 M x with the exact tangent stiffness K, gravity's and the loads' part included, found by a
block Krylov method for K^-1 M (Parlett, The Symmetric Eigenvalue Problem, 1998, chapter 13): every product is O(n).
Torques, twists and wind have no energy; of their tangent the symmetric part is taken.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .base.arrays import Floats
from .base.checks import choice, number, whole_number
from .base.constants import LARGEST
from .base.errors import SolverError
from .forces.loads import STIFFNESS_SCALE
from .model.model import Bodies, Model
from .simulation import Simulation, Start
from .statics.coupling import factorise_coupled, solve_coupled
from .statics.imbalance import load_scale
from .statics.tangent import StillWorld, Tangent, balance, mass_product, new_tangent
from .world.sample import Sample

#: Relative error of w^2 at which the search ends, roughly: it is of the order of this residual's square.
_CLOSE = 1e-6

#: Vectors that the search keeps before it starts again from the best of them.
_MOST_VECTORS = 120
_MOST_RESTARTS = 30

#: Lowest frequency that counts, in units of what the loads' moment over the inertia would give.
_FREE = 1e-3


class Modes(NamedTuple):
    """Modes of k lowest frequencies of n bodies.

    frequency (k,) Hz, ascending; shape (k, n, 3): joint turns in the bodies' frames, of unit modal mass (x M x = 1)
    """

    frequency: Floats
    shape: Floats


class Damped(NamedTuple):
    """A model and what its damping does to the first mode: frequency in Hz and share of critical damping."""

    model: Model
    frequency: float
    ratio: float


def natural_modes(model: Model, sample: Sample | None = None, count: int = 1, start: Start = "settled") -> Modes:
    """Find the modes about the equilibrium in the sample's world (earth's gravity and nothing else if None).

    start: "settled", or "keep_shape" for a plant whose drawn shape is the equilibrium.
    Raises SolverError where there is no stable equilibrium, where something turns freely, and for input that makes no
    sense.
    """
    bodies, q, world = _at_rest(model, sample, start)
    return modes_at(model, bodies, q, world, count)


def modal_damping(model: Model, sample: Sample | None = None, start: Start = "settled") -> Damped:
    """Tell the first mode's frequency and the share of critical damping that the model's joints give it.

    Damping from the air comes on top. Raises SolverError as natural_modes does.
    """
    bodies, q, world = _at_rest(model, sample, start)
    return _first_mode(model, bodies, q, world)


def with_damping(
    model: Model,
    constant: float | None = None,
    time: float | None = None,
    ratio: float | None = None,
    sample: Sample | None = None,
    start: Start = "settled",
) -> Damped:
    """Return the model with all joints damped in one of three ways, and what this does to its first mode.

    constant (N m s/rad): the same at every joint (Garcia eq. 6.19). time (s): torque = time * stiffness * rate.
    ratio: that time which gives the first mode this share of critical damping, 0.02 for 2 %.
    Raises SolverError for other than one of them or less than 0, and as natural_modes does.
    """
    all_three = (("constant", constant), ("time", time), ("ratio", ratio))
    given = {name: number(f"damping {name}", value, 0.0, LARGEST) for name, value in all_three if value is not None}
    if len(given) != 1:
        raise SolverError("give one of a damping constant, a damping time and a damping ratio")
    bodies, q, world = _at_rest(model, sample, start)

    def damped(constant: float = 0.0, time: float = 0.0) -> Damped:
        n = model.body_count
        new = {"damping": np.full(n, constant), "damping_time": np.full(n, time)}
        return _first_mode(replace(model, bodies=model.bodies._replace(**new)), bodies._replace(**new), q, world)

    if ratio is None:
        return damped(**given)
    per_second = damped(time=1.0).ratio
    if not per_second > 0.0:
        raise SolverError("no spring moves in the first mode, so damping proportional to stiffness does not damp it")
    return damped(time=given["ratio"] / per_second)


def _first_mode(model: Model, bodies: Bodies, q: Floats, world: StillWorld) -> Damped:
    modes = modes_at(model, bodies, q, world, 1)
    springs = bodies.stiffness * world.loads.shared[0, STIFFNESS_SCALE]
    rates = bodies.damping_time[:, None] * springs + bodies.damping[:, None]
    omega = 2.0 * math.pi * float(modes.frequency[0])
    return Damped(model, float(modes.frequency[0]), float((rates * modes.shape[0] ** 2).sum() / (2.0 * omega)))


def _at_rest(model: Model, sample: Sample | None, start: Start) -> tuple[Bodies, Floats, StillWorld]:
    """Bodies with the springs' rest of their own, joint rotations and world of the equilibrium."""
    choice("start of modes", start, ("settled", "keep_shape"))
    plant = Simulation([model])
    found = plant.start(Sample() if sample is None else sample, start)
    assert found is not None
    if start == "keep_shape" and not found.stable:
        raise SolverError("the equilibrium is not stable: the plant would fall; make it stiffer, or start settled")
    if not (found.stable and found.residual < 1e-6):
        raise SolverError("no stable equilibrium was found to swing about; make the plant stiffer or its loads smaller")
    return plant.at_rest()


def modes_at(model: Model, bodies: Bodies, q: Floats, world: StillWorld, count: int) -> Modes:
    """Modes about an equilibrium of joint rotations q (n, 4). Raises SolverError where something turns freely."""
    count = whole_number("number of modes", count, 1, 3 * len(q))
    work = new_tangent(len(q))
    balance(bodies, q, world, work, True)
    unit = load_scale(bodies, work)
    work.heft[:] = 0.0  # joints have no inertia of their own
    if factorise_coupled(bodies, world, work, -_FREE * _FREE * unit) > 0:
        loose = np.flatnonzero((bodies.stiffness * world.loads.shared[0, STIFFNESS_SCALE] <= 0.0).any(axis=1))
        raise SolverError(
            "it turns without resistance, so nothing has a lowest frequency; give it stiffness, or a side to lean to",
            int(model.body_rod[loose[0]]) if loose.size else None,
        )
    factorise_coupled(bodies, world, work, 0.0)
    squares, shapes = _lowest(bodies, world, work, count)
    rotation = work.rotation.reshape(-1, 3, 3)
    shapes = np.einsum("nji,knj->kni", rotation, shapes)
    for shape in shapes:
        shape *= math.copysign(1.0, shape.flat[np.abs(shape).argmax()])
    return Modes(np.sqrt(squares) / (2.0 * math.pi), shapes)


def _lowest(bodies: Bodies, world: StillWorld, work: Tangent, count: int) -> tuple[Floats, Floats]:
    """(k,) squares of angular frequencies and (k, n, 3) joint turns in world axes, of the factorised tangent.

    basis: vectors x with x M x = 1, M-orthogonal; heavy: M x; image: K^-1 M x; of each the first `used` rows.
    """
    n = len(bodies.parent)
    size = 3 * n
    block = np.random.default_rng(0).normal(size=(min(count + 2, size), size))
    most = min(size, max(_MOST_VECTORS, 4 * count))
    for _ in range(_MOST_RESTARTS):
        basis, heavy, image = (np.empty((most, size)) for _ in range(3))
        used = 0
        while True:
            first = used
            for vector in block:
                if used < most:
                    used += _join(bodies, work, basis, heavy, used, vector)
            for k in range(first, used):
                solve_coupled(bodies, world, work, heavy[k].reshape(n, 3), image[k].reshape(n, 3))
            seen = slice(0, used)
            small = heavy[seen] @ image[seen].T
            inverse, mix = np.linalg.eigh(0.5 * (small + small.T))
            inverse, mix = inverse[::-1], mix[:, ::-1]
            # What K^-1 M leaves of a mode outside of the basis, relative to what it keeps.
            wanted = mix[:, :count].T
            lack = (wanted @ image[seen] - inverse[:count, None] * (wanted @ basis[seen])).reshape(-1, n, 3)
            product = np.empty((n, 3))
            error = 0.0
            for k in range(len(lack)):
                mass_product(bodies, work, lack[k], product)
                error = max(error, math.sqrt(max(float((lack[k] * product).sum()), 0.0)) / float(inverse[k]))
            if error < _CLOSE or used == size:
                return 1.0 / inverse[:count], (wanted @ basis[seen]).reshape(-1, n, 3)
            if used in (most, first):
                break
            block = image[first:used].copy()
        block = mix[:, : min(2 * count + 4, used)].T @ basis[seen]
    raise SolverError("the natural frequencies were not found: too many lie too close together; ask for fewer")


def _join(bodies: Bodies, work: Tangent, basis: Floats, heavy: Floats, used: int, vector: Floats) -> bool:
    """Put what a vector has beyond the basis into it, of unit mass, and M times it into heavy. False if nothing."""
    shape = (len(bodies.parent), 3)
    new, product = basis[used], heavy[used]
    new[:] = vector
    mass_product(bodies, work, new.reshape(shape), product.reshape(shape))
    size = math.sqrt(float(new @ product))
    for _ in range(2):
        new -= (heavy[:used] @ new) @ basis[:used]
    mass_product(bodies, work, new.reshape(shape), product.reshape(shape))
    left = math.sqrt(max(float(new @ product), 0.0))
    if not left > 1e-10 * size:
        return False
    new /= left
    product /= left
    return True
