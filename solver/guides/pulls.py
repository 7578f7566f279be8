# SPDX-License-Identifier: GPL-3.0-or-later
"""Pulls: springs and dampers from points of bodies to what holds them: places, planes, curves and surfaces.

What is held by another than a place slides there, with friction of Coulomb's law but for a creep of CREEP. A pull
feeds energy where what holds moves or its strength changes, and nowhere else.

A rigid one is a spring so stiff that nobody sees it give. Where a step will end it is known only to what the spring
would make of the least error, so that what its force does to the levers that turn, its geometric stiffness, and what
rubs with it is taken from the force with which it held where the last solve led.
"""

import math
from typing import NamedTuple

from ..base.arrays import Floats, Floats2, Ints1
from ..data import columns as col
from ..data.implicit import add_point, stretched
from ..data.lanes import add3, add6, get3, get9
from ..data.wrench import add_spring
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_vec
from ..math.memory import keep3, load3, load9, store3, take3
from ..math.symmetric import sym_add, sym_scale, sym_vec
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .curves import nearest_on_curve, way_of_curve
from .giving import given_damping, given_energy, given_slope, given_stiffness, gives_way
from .on_surface import AT_CORNER, INSIDE, MOVES, RESTS, nearest_on_surface, way_of_surface
from .shapes import AT_PLACE, IN_PLANE, Shapes, bent, bent_at_rest, same_shape, surface_of

#: Columns of a pull's numbers: target (3) m, stiffness (N/m), damping (N s/m), normal (3) of its plane, Coulomb's
#: coefficient, one over the largest force (1/N), 1 where it is rigid, how far off (3) m it still holds, see apart.py,
#: and by what the point is away (3, m) from where it is on rods as drawn. At present also the share of the frame that
#: has gone by, one over the frame's length (1/s), and the force (3) N with which it held where the last solve led.
STIFFNESS, DAMPING, NORMAL, FRICTION, GIVES, RIGID, APART, MOVED, NUMBERS = 3, 4, 5, 8, 9, 10, 11, 14, 17
SHARE, RATE, HOLDS, PRESENT = 17, 18, 19, 22

#: s: what has gone beyond an end or a rim comes back in a few times this, and is not thrown back.
COMES_BACK = 0.01

#: m/s: what friction holds creeps up to so fast.
CREEP = 1e-6


class Pulls(NamedTuple):
    """body (k,) pulled, -1 for the base; point (k, 3) m in its frame; numbers (k, 17) see above; on (k,) what holds,
    see shapes.py; held (k, 3) N: the force at the end of the last step; shapes on which they slide"""

    body: Ints1
    point: Floats2
    numbers: Floats2
    on: Ints1
    held: Floats2
    shapes: Shapes


class Pulling(NamedTuple):
    """Pulls of one plant in a frame: body, point, on and held as of Pulls, numbers and shapes at both ends, and the
    numbers at present."""

    body: Ints1
    point: Floats2
    before: Floats2
    after: Floats2
    now: Floats2
    on: Ints1
    held: Floats2
    shapes_before: Shapes
    shapes_after: Shapes


def points_of(pulls: Pulls) -> Floats:
    """(k, 3) m: the points in their bodies' frames, of rods as long as they are."""
    return pulls.point + pulls.numbers[:, MOVED:NUMBERS]


@inlined
def pulls_at(pulls, s, duration):
    """Fill the numbers of the present at the share s of a frame, linear in between."""
    for j in range(len(pulls.body)):
        for c in range(NUMBERS):
            pulls.now[j, c] = (1.0 - s) * pulls.before[j, c] + s * pulls.after[j, c]
        pulls.now[j, SHARE], pulls.now[j, RATE] = s, 1.0 / duration
        keep3(pulls.now, j, HOLDS, load3(pulls.held, j))


@inlined
def steady_pulls(pulls):
    """Whether they are the same at both ends of the frame, so that they add no energy."""
    steady = True
    for j in range(len(pulls.body)):
        for c in range(NUMBERS):
            steady = steady and pulls.before[j, c] == pulls.after[j, c]
        steady = steady and same_shape(pulls.shapes_before, pulls.shapes_after, pulls.on[j])
    return steady


@inlined
def holds_rigidly(pulls):
    """Whether one is rigid: what resists it must not be that of another direction."""
    rigid = False
    for j in range(len(pulls.body)):
        rigid = rigid or pulls.after[j, RIGID] > 0.0
    return rigid


@inlined
def _line_of(w):
    """w w^T of a vector, symmetric."""
    x, y, z = w
    return (x * x, x * y, x * z, y * y, y * z, z * z)


@subroutine
def held_at(before, after, on, numbers, j, s, x, flat):
    """How pull j holds the point x, or what is as far off it as it still holds: way back (m), symmetric projector on
    what it holds against, a vector towards which its shape bends, by how much along which directions (a symmetric
    matrix; both together 1/m), whether it slides, how far (m) its shape's point goes in the frame, and whether that is
    an end, a corner or a rim, which it has come to. flat: see on_surface.py."""
    x = sub(x, take3(numbers, j, APART))
    target = sub(load3(numbers, j), x)
    every, none = (1.0, 0.0, 0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if on[j] == AT_PLACE:
        return target, every, ZERO, none, False, ZERO, False
    if on[j] == IN_PLANE:
        n = take3(numbers, j, NORMAL)
        n = scale(1.0 / math.sqrt(max(dot(n, n), 1e-300)), n)
        return scale(dot(n, target), n), _line_of(n), n, none, True, ZERO, False
    if on[j] >= 0:
        place, tangent, curvature, beyond, piece, t = nearest_on_curve(before.curves, after.curves, s, on[j], x)
        velocity, ends = way_of_curve(before.curves, after.curves, piece, t), beyond
    else:
        c = surface_of(on[j])
        place, what, tangent, bends, f, u, v = nearest_on_surface(before.surfaces, after.surfaces, s, c, x, flat)
        velocity = way_of_surface(before.surfaces, after.surfaces, f, u, v)
        if what == INSIDE:
            way = scale(dot(tangent, sub(place, x)), tangent)  # the place is known less well than what it is across
            return way, _line_of(tangent), tangent, bends, True, velocity, False
        curvature, beyond, ends = (bends[0], bends[1], bends[2]), what == AT_CORNER, True
    if beyond:
        return sub(place, x), every, ZERO, none, False, velocity, ends
    line = _line_of(tangent)
    across = sym_add(every, sym_scale(-1.0, line))
    return sym_vec(across, sub(place, x)), across, curvature, line, True, velocity, ends


@inlined
def stiffness_of(numbers, j, way):
    """Stiffness (N/m) with which pull j draws over a way back."""
    return given_stiffness(numbers[j, STIFFNESS], numbers[j, GIVES], math.sqrt(dot(way, way)))


@inlined
def stiffness_along(numbers, j, way, across):
    """The same as a matrix, by how its force changes: along the way it yields."""
    stretch = math.sqrt(dot(way, way))
    stiffness = given_stiffness(numbers[j, STIFFNESS], numbers[j, GIVES], stretch)
    yields = stiffness - given_slope(numbers[j, STIFFNESS], numbers[j, GIVES], stretch)
    line = scale(1.0 / max(stretch, 1e-300), way)
    return sym_add(sym_scale(stiffness, across), sym_scale(-yields, _line_of(line)))


@subroutine
def _pull(data, pulls, j, c1, c2):
    """Arm (m) of pull j, the force (N) that holds and the one of friction, and what resists accelerations of the point
    against both: symmetric matrices (kg)."""
    now, i = pulls.now, pulls.body[j]
    b, lane, s = i >> 3, i & 7, now[j, SHARE]
    e = mat_vec(get9(data, b, col.ROTATION + lane), add(load3(pulls.point, j), take3(now, j, MOVED)))
    x = add(get3(data, b, col.POSITION + lane), e)
    way, across, n, bends, slides, moves, ends = held_at(
        pulls.shapes_before, pulls.shapes_after, pulls.on, now, j, s, x, MOVES
    )
    if pulls.on[j] == AT_PLACE or pulls.on[j] == IN_PLANE:
        moves = sub(load3(pulls.after, j), load3(pulls.before, j))
    moves = add(moves, sub(take3(pulls.after, j, APART), take3(pulls.before, j, APART)))
    velocity = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), e))
    speed = sub(velocity, scale(now[j, RATE], moves))
    stiffness, damping, held = stiffness_of(now, j, way), now[j, DAMPING], take3(now, j, HOLDS)
    if ends:
        damping = max(damping, COMES_BACK * stiffness)
    against = sym_vec(across, speed)
    yields, apart = gives_way(held, now[j, GIVES]), take3(now, j, APART)
    if yields:
        stretch, pace = math.sqrt(dot(way, way)), math.sqrt(dot(against, against))
        damping += given_damping(now[j, STIFFNESS], now[j, GIVES], stretch, pace)
    force = sub(scale(stiffness, way), scale(damping, against))
    resists = sym_scale(c1 * damping + c2 * stiffness, across)
    if pulls.on[j] == AT_PLACE and yields and dot(apart, apart) == 0.0:
        # Not while it is drawn in; what slides would be too soft across its way.
        resists = sym_add(sym_scale(c1 * damping, across), sym_scale(c2, stiffness_along(now, j, way, across)))
    rubs, drags = ZERO, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if slides:
        along = sub(speed, against)
        grip = now[j, FRICTION] * math.sqrt(dot(held, held)) / max(math.sqrt(dot(along, along)), CREEP)
        rubs = scale(-grip, along)
        lets = _others(across)
        drags = sym_add(sym_scale(c1 * grip, lets), sym_scale(c2, bent(bends, lets, dot(held, n))))
    return e, force, rubs, resists, drags


@inlined
def _others(across):
    """The projector on the directions that a projector leaves out."""
    return sym_add((1.0, 0.0, 0.0, 1.0, 0.0, 1.0), sym_scale(-1.0, across))


@inlined
def _is_idle(pulls, j):
    """Whether pull j does nothing."""
    return pulls.body[j] < 0 or (pulls.now[j, STIFFNESS] == 0.0 and pulls.now[j, DAMPING] == 0.0)


@inlined
def pull_forces(data, pulls, c1, c2, factor):
    """Springs from points of bodies to targets: explicit part in the bias force, implicit part as a point mass."""
    for j in range(len(pulls.body)):
        if _is_idle(pulls, j):
            continue
        b, lane = pulls.body[j] >> 3, pulls.body[j] & 7
        e, force, rubs, resists, drags = _pull(data, pulls, j, c1, c2)
        whole = add(force, rubs)
        add3(data, b, col.PA_T + lane, scale(-1.0, whole))
        add3(data, b, col.PA_R + lane, cross(whole, e))
        if factor:
            add_point(data, b, lane, e, sym_add(resists, drags))
            bears = take3(pulls.now, j, HOLDS) if pulls.now[j, RIGID] > 0.0 else force
            add6(data, b, col.IA_RR + lane, stretched(e, scale(c2, bears)))


@inlined
def bear_as_held(data, pulls):
    """Let the sums of forces, X_T, from which geometric stiffnesses are, have what rigid pulls held with."""
    for j in range(len(pulls.body)):
        if not _is_idle(pulls, j) and pulls.now[j, RIGID] > 0.0:
            b, lane = pulls.body[j] >> 3, pulls.body[j] & 7
            _, force, _, _, _ = _pull(data, pulls, j, 0.0, 0.0)
            add3(data, b, col.X_T + lane, sub(force, take3(pulls.now, j, HOLDS)))


@inlined
def hold_where_led(data, pulls, c1, c2):
    """Find what pulls hold with where the last solve leads."""
    for j in range(len(pulls.body)):
        if not _is_idle(pulls, j):
            b, lane = pulls.body[j] >> 3, pulls.body[j] & 7
            e, force, _, resists, _ = _pull(data, pulls, j, c1, c2)
            gained = add(get3(data, b, col.X_T + lane), cross(get3(data, b, col.X_R + lane), e))
            keep3(pulls.now, j, HOLDS, sub(force, sym_vec(resists, gained)))


@inlined
def keep_held(pulls):
    """Keep what pulls hold with where the step's last solve leads; nothing of one that was lost."""
    for j in range(len(pulls.body)):
        force = take3(pulls.now, j, HOLDS)
        store3(pulls.held, j, force if dot(force, force) < math.inf else ZERO)


@inlined
def still_pulls(world, work):
    """Springs from points of bodies to what holds them. The tangent has what a shape's bend does to the way back."""
    pulls = world.loads.pulls
    for j in range(len(pulls.body)):
        i = pulls.body[j]
        if i < 0 or pulls.numbers[j, STIFFNESS] == 0.0:
            continue
        e = mat_vec(load9(work.rotation, i), add(load3(pulls.point, j), take3(pulls.numbers, j, MOVED)))
        way, across, n, bends, slides, _, _ = held_at_rest(pulls, j, add(load3(work.position, i), e))
        stiffness = stiffness_of(pulls.numbers, j, way)
        force, K = scale(stiffness, way), stiffness_along(pulls.numbers, j, way, across)
        if slides:
            K = sym_add(K, bent_at_rest(bends, _others(across), dot(force, n), dot(way, n)))
        add_spring(work, i, e, force, K)


@inlined
def held_at_rest(pulls, j, x):
    """How pull j holds the point x of a body that rests; a rigid one as if it was as far off as it holds with what it
    held with. So it comes to be exactly where it is held, and yet on the side of an edge, or beyond the end, from which
    it is (the proximal method of multipliers: Rockafellar 1976). What gives way is held at the place that is nearest to
    where it is, as in motion: another one may be nearest to where that method takes it for."""
    stiffness, held = pulls.numbers[j, STIFFNESS], load3(pulls.held, j)
    is_rigid = pulls.numbers[j, RIGID] > 0.0 and stiffness > 0.0
    yields, off = is_rigid and gives_way(held, pulls.numbers[j, GIVES]), ZERO
    if is_rigid:
        off = scale(1.0 / stiffness, held)
    way, across, n, bends, slides, moves, ends = held_at(
        pulls.shapes, pulls.shapes, pulls.on, pulls.numbers, j, 0.0, x if yields else sub(x, off), RESTS
    )
    return add(way, sym_vec(across, off)) if yields else way, across, n, bends, slides, moves, ends


@inlined
def pull_energy(data, pulls):
    """Energy (J) of the pulls' springs, after energy_at."""
    energy = 0.0
    for j in range(len(pulls.body)):
        i = pulls.body[j]
        if i >= 0:
            b, lane, s = i >> 3, i & 7, pulls.now[j, SHARE]
            e = mat_vec(get9(data, b, col.ROTATION + lane), add(load3(pulls.point, j), take3(pulls.now, j, MOVED)))
            x = add(get3(data, b, col.POSITION + lane), e)
            way = held_at(pulls.shapes_before, pulls.shapes_after, pulls.on, pulls.now, j, s, x, MOVES)[0]
            energy += given_energy(pulls.now[j, STIFFNESS], pulls.now[j, GIVES], math.sqrt(dot(way, way)))
    return energy
