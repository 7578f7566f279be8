# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of accelerations, which act on all mass alike, as kernels take them: linear about where they were read.

A field is read once a frame, where the bodies will be. In between it is

    a = push - holding x + slope v,

x being where a half of a body's mass is and v its velocity: two points along the body, as far from its centre of mass
as they must be for their moment of inertia to be the body's, make a slender body feel fields that change evenly along
it as it should. What the field changes by with the velocity is in it whole. Of what
it changes by with the place only the part that drives bodies back is, for the field ends somewhere and its tangent does
not: followed the other way that would throw bodies out. What drives back and what brakes is treated implicitly, so
neither makes a step unstable, however strong.
"""

import math
import reprlib
from collections.abc import Callable

import numpy as np

from ..base.arrays import Floats
from ..base.checks import finite
from ..base.errors import SolverError
from ..data import columns as col
from ..data.implicit import add_point
from ..data.lanes import add3, get3, get6, get9
from ..data.wrench import add_wrench
from ..machine.jit import inlined
from ..math.matrices import hat, hat_hat, mat_add, mat_mul, mat_of_sym, mat_scale, mat_sub, mat_transpose, mat_vec
from ..math.memory import load3, load6, load9, store9
from ..math.symmetric import sym_add, sym_scale, sym_vec
from ..math.vectors import add, cross, scale, sub
from ..model.model import Bodies, Model
from ..world.sample import ForceField, Place, Sample

#: Numbers of a field at one of a body's two places: push (3) m/s2, holding (6) 1/s2 symmetric, slope (9) 1/s, braking
#: (6) 1/s symmetric.
FIELD_COLUMNS, _HOLDING, _SLOPE, _BRAKING = 24, 3, 9, 18

#: m/s: how far apart velocities are for the slope.
_APART = 1e-4

#: Places between which a field's change is taken are this share of their rod's length apart.
_BESIDE = 1e-3

#: Where the numbers of a symmetric matrix are in it.
_ROW, _COLUMN = (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)


def read_force_field(field: ForceField, points: Floats, velocities: Floats, spacing: Floats, time: float) -> Floats:
    """(k, 24) the field about points (k, 3) m and velocities (k, 3) m/s; it is also read spacing (k,) m beside.

    One call with all points: a field's rows do not depend on each other. Raises SolverError for accelerations that are
    not finite and of another shape than the points.
    """
    k = len(points)
    places, speeds = np.tile(points, (7, 1)), np.tile(velocities, (7, 1))
    for c in range(3):
        places[(1 + c) * k : (2 + c) * k, c] += spacing
        speeds[(4 + c) * k : (5 + c) * k, c] += _APART
    found = finite("force_field", field(places, speeds, time), places.shape).reshape(7, k, 3)
    # What was added is not quite the spacing, in the last digits.
    apart = np.stack([places[(1 + c) * k : (2 + c) * k, c] - points[:, c] for c in range(3)])
    faster = np.stack([speeds[(4 + c) * k : (5 + c) * k, c] - velocities[:, c] for c in range(3)])
    by_place = np.moveaxis((found[1:4] - found[0]) / apart[:, :, None], 0, 2)
    slope = np.moveaxis((found[4:7] - found[0]) / faster[:, :, None], 0, 2)
    holding, braking = _resisting(by_place), _resisting(slope)
    rows = np.empty((k, FIELD_COLUMNS))
    rows[:, :_HOLDING] = found[0] + _times(holding, points) - _times(slope, velocities)
    rows[:, _HOLDING:_SLOPE] = holding[:, _ROW, _COLUMN]
    rows[:, _SLOPE:_BRAKING] = slope.reshape(k, 9)
    rows[:, _BRAKING:] = braking[:, _ROW, _COLUMN]
    return rows


def places_in_field(bodies: Bodies) -> Floats:
    """(2 n, 3) m in the bodies' frames: where the halves of their masses are, as _place_in_field says."""
    along = 0.5 * (bodies.inertia[:, 0] + bodies.inertia[:, 5] - bodies.inertia[:, 3]) / bodies.mass
    away = np.sqrt(np.maximum(along - bodies.com[:, 1] ** 2, 0.0))
    places = np.repeat(bodies.com, 2, axis=0)
    places[::2, 1] -= away
    places[1::2, 1] += away
    return places


def still_accelerations(rows: Floats, points: Floats) -> Floats:
    """(k, 3) m/s2 that readings (k, 24) stand for at points (k, 3) m, at rest."""
    return rows[:, :_HOLDING] - _times(_whole(rows[:, _HOLDING:_SLOPE]), points)


def moving_accelerations(rows: Floats, points: Floats, velocities: Floats) -> Floats:
    """The same at points that move with velocities (k, 3) m/s."""
    slope = rows[:, _SLOPE:_BRAKING].reshape(-1, 3, 3)
    return still_accelerations(rows, points) + _times(slope, velocities)


def _times(matrices: Floats, vectors: Floats) -> Floats:
    product: Floats = (matrices @ vectors[:, :, None])[:, :, 0]
    return product


def _whole(six: Floats) -> Floats:
    return six[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(-1, 3, 3)


def _resisting(change: Floats) -> Floats:
    """Of the change (k, 3, 3) of accelerations, the symmetric part that works against it, with its sign turned."""
    if not change.any():
        return np.zeros_like(change)
    values, axes = np.linalg.eigh(-0.5 * (change + change.transpose(0, 2, 1)))
    return np.einsum("kij,kj,klj->kil", axes, np.maximum(values, 0.0), axes)


@inlined
def _six(rows, i, c):
    return (rows[i, c], rows[i, c + 1], rows[i, c + 2], rows[i, c + 3], rows[i, c + 4], rows[i, c + 5])


@inlined
def _moving(rows, i, x, v):
    """Acceleration (m/s2) of reading i at x with the velocity v."""
    c = _SLOPE
    gained = (
        rows[i, c] * v[0] + rows[i, c + 1] * v[1] + rows[i, c + 2] * v[2],
        rows[i, c + 3] * v[0] + rows[i, c + 4] * v[1] + rows[i, c + 5] * v[2],
        rows[i, c + 6] * v[0] + rows[i, c + 7] * v[1] + rows[i, c + 8] * v[2],
    )
    return add(_still_acceleration(rows, i, x), gained)


@inlined
def _still_acceleration(rows, i, x):
    """Acceleration (m/s2) of reading i at x, at rest."""
    return sub(load3(rows, i), sym_vec(_six(rows, i, _HOLDING), x))


@inlined
def _place_in_field(mass, com, inertia, end):
    """Where in its frame (m) one half of a body's mass is: end 0 or 1."""
    along = 0.5 * (inertia[0] + inertia[5] - inertia[3]) / mass - com[1] * com[1]
    return (com[0], com[1] + (2.0 * end - 1.0) * math.sqrt(max(along, 0.0)), com[2])


@inlined
def field_forces(data, before, after, s, c1, c2, factor):
    """Add the field at the share s of the frame, of readings (2 n, 24) at both ends, to the bias forces, and its
    implicit part to the inertias."""
    for k in range(len(after)):
        i, end = k >> 1, k & 1
        b, lane = i >> 3, i & 7
        mass = data[b, col.MASS + lane]
        at = _place_in_field(mass, get3(data, b, col.COM + lane), get6(data, b, col.INERTIA + lane), end)
        e = mat_vec(get9(data, b, col.ROTATION + lane), at)
        x = add(get3(data, b, col.POSITION + lane), e)
        v = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), e))
        acceleration = add(scale(1.0 - s, _moving(before, k, x, v)), scale(s, _moving(after, k, x, v)))
        half = 0.5 * mass
        force = scale(half, acceleration)
        add3(data, b, col.PA_T + lane, scale(-1.0, force))
        add3(data, b, col.PA_R + lane, cross(force, e))
        if factor:
            by_place = sym_add(_part(1.0 - s, before, k, _HOLDING), _part(s, after, k, _HOLDING))
            by_speed = sym_add(_part(1.0 - s, before, k, _BRAKING), _part(s, after, k, _BRAKING))
            add_point(data, b, lane, e, sym_add(sym_scale(half * c2, by_place), sym_scale(half * c1, by_speed)))


@inlined
def _part(share, rows, i, c):
    return sym_scale(share, _six(rows, i, c))


def field_drives(field: Floats) -> bool:
    """Whether a force field (2 n, 24) may add energy, to any plant: it may, for nobody knows its potential."""
    return len(field) > 0


@inlined
def still_field(bodies, world, work, i):
    """A force field on the halves of the mass of body i, with what drives them back where they move."""
    rows = world.loads.field
    if len(rows) == 0:
        return
    half = 0.5 * bodies.mass[i]
    for end in range(2):
        at = _place_in_field(bodies.mass[i], load3(bodies.com, i), load6(bodies.inertia, i), end)
        e = mat_vec(load9(work.rotation, i), at)
        up = scale(-half, _still_acceleration(rows, 2 * i + end, add(load3(work.position, i), e)))
        back = mat_scale(half, mat_of_sym(_six(rows, 2 * i + end, _HOLDING)))
        lever = mat_mul(hat(e), back)
        add_wrench(work, i, e, up)
        turned = mat_sub(hat_hat(up, e), mat_mul(lever, hat(e)))
        store9(work.rr, i, mat_add(load9(work.rr, i), turned))
        store9(work.rt, i, mat_add(load9(work.rt, i), lever))
        store9(work.tr, i, mat_add(load9(work.tr, i), mat_transpose(lever)))
        store9(work.tt, i, mat_add(load9(work.tt, i), back))


class FieldReader:
    """The force field of a sample at the halves of the masses of a model's bodies."""

    def __init__(self, model: Model):
        self._model = model
        self._place, self._body = places_in_field(model.bodies), np.repeat(np.arange(model.body_count), 2)

    def __call__(self, sample: Sample, time: float, place: Place) -> Floats | None:
        """(2 n, 24) at a time (s), None without one. place: where the bodies will be then, and how they move."""
        field = force_field_of(sample, time, self._model)
        return None if field is None else field(*place(self._body, self._place))


def force_field_of(sample: Sample, time: float, model: Model) -> Callable[[Floats, Floats], Floats] | None:
    """The sample's force field at the time (s) as kernels take it, (2 n, 24), or None where there is none.

    It takes where the halves of the bodies' masses are, (2 n, 3) m, and their velocities (2 n, 3) m/s. Raises
    SolverError for what is no function, as the field does for accelerations that are not finite and of another shape.
    """
    field = sample.force_field
    if field is None:
        return None
    if not callable(field):
        raise SolverError(f"force_field must be a function, not {reprlib.repr(field)}")
    apart = _BESIDE * np.repeat(model.length[model.body_rod], 2)
    return lambda points, velocities: read_force_field(field, points, velocities, apart, time)
