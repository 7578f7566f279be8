# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy of a plant as it is seen from its base, and what a base that moves adds to it.

In the axes of a base that moves with the velocity V and turns with W, a plant feels the forces of inertia

    - m (dV/dt + dW/dt x r + W x (W x r) + 2 W x v)

of which the last does no work. So energy of motion as seen from there, of springs, and of weight over the base grows by

    - P dV/dt - L dW/dt + d/dt (W I W / 2) - g (W x S)

with momentum P and angular momentum L about the base, of velocities as seen from it, inertia I and moment of mass S
about it; the third with W held. Of a step each is taken with the mean of both ends, which is of second order, and exact
for a base that moves evenly: then there is none (Galilei). Air that stands still adds what its forces do on the motion
as it is seen from the base, where they drive it; what they take is left to them.
"""

from ..data import columns as col
from ..data.lanes import get3, get6, get9
from ..forces.interval import is_steady
from ..forces.loads import AIR_DENSITY
from ..machine.jit import inlined
from ..math.matrices import mat_vec
from ..math.memory import load3
from ..math.symmetric import sym_add, sym_rotate, sym_scale, sym_vec
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..world.base_motion import base_of

#: What may be known of a frame: something else drives the plant; it stands, or goes evenly; its base carries it along.
DRIVEN, EVEN, CARRIED = 0, 1, 2

#: A base moves evenly whose velocity differs by less than this share, or than this share of the plant's size a second.
_EVENLY = 1e-9

NO_INERTIA = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

#: Seen of a plant before anything has been.
UNSEEN = (ZERO, ZERO, ZERO, NO_INERTIA, ZERO, ZERO)

#: Joints are hardly damped by less than so much (s) of their stiffness.
_HARDLY = 1e-3


@inlined
def driven_by(data, n, bases, world, driven, size, duration):
    """Whether anything from outside can add energy in a frame whose paths have been filled, or a base does.

    driven: by wind, loads or a moving pose. What a base adds is known of a plant alone, all of it on one. It is counted
    where a joint is hardly damped; damping takes more than errors of steps add.
    """
    if driven or not is_steady(world):
        return DRIVEN
    if is_still(bases, size):
        return EVEN
    if len(bases.now) > 1 or not is_plain(world):
        return DRIVEN
    base = base_of(bases, 0)
    mean = scale(1.0 / duration, sub(load3(base.position, 1), load3(base.position, 0)))
    fastest, changes = dot(mean, mean), 0.0
    for end in range(2, 4):
        other, turning = sub(load3(base.position, end), mean), load3(base.turn, end)
        changes = max(changes, dot(other, other), size * size * dot(turning, turning))
    if changes <= _EVENLY * _EVENLY * max(fastest, size * size) and world.before[AIR_DENSITY] == 0.0:
        return EVEN
    return CARRIED if has_hardly_damped(data, n) else DRIVEN


@inlined
def has_hardly_damped(data, n):
    """Whether any of n joints has next to no damping."""
    found = 0
    for i in range(n):
        b, lane = i >> 3, i & 7
        x, y, z = get3(data, b, col.STIFFNESS + lane)
        least = _HARDLY * max(x, y, z)
        found += 1 if data[b, col.DAMPING_TIME + lane] * max(x, y, z) + data[b, col.DAMPING + lane] < least else 0
    return found > 0


@inlined
def is_still(bases, size):
    """Whether all bases of a plant of a size (m) stand in a frame whose paths have been filled."""
    fastest = 0.0
    for k in range(len(bases.now)):
        base = base_of(bases, k)
        way = sub(load3(base.position, 1), load3(base.position, 0))
        fastest = max(fastest, dot(way, way), size * size * dot(load3(base.turn, 1), load3(base.turn, 1)))
        for end in range(2, 4):
            velocity, turning = load3(base.position, end), load3(base.turn, end)
            fastest = max(fastest, dot(velocity, velocity), size * size * dot(turning, turning))
    return fastest <= _EVENLY * _EVENLY * size * size


@inlined
def is_plain(world):
    """Whether a plant is alone and follows no pose."""
    return is_alone(world) and not world.follows


@inlined
def is_alone(world):
    """Whether nothing but its base holds or touches the plant, all of it, and nothing leads it."""
    return len(world.pulls.body) + len(world.ties.body) == 0 and is_untouched(world)


@inlined
def is_untouched(world):
    """Whether nothing touches the plant, all of it, and nothing leads it; it may be held."""
    touches = len(world.touching.obstacles.kind) + len(world.pairs.ends)
    return touches + world.loose.used[0, 0] == 0 and not world.is_led


@inlined
def seen_from(data, n, base):
    """Of n bodies after kinematics, as seen from a base (6, 4): energy of motion (J), mass (kg), and momentum (N s),
    angular momentum (N m s), moment of mass (kg m) and inertia (kg m2) about it with its velocity and angular velocity.
    """
    place, speed, spin = load3(base, 0), load3(base, 2), load3(base, 3)
    kinetic, mass, P, L, S, inertia = 0.0, 0.0, ZERO, ZERO, ZERO, NO_INERTIA
    for i in range(n):
        b, lane = i >> 3, i & 7
        R, m = get9(data, b, col.ROTATION + lane), data[b, col.MASS + lane]
        r = sub(get3(data, b, col.POSITION + lane), place)
        c = scale(m, mat_vec(R, get3(data, b, col.COM + lane)))
        omega = sub(get3(data, b, col.OMEGA + lane), spin)
        v = sub(sub(get3(data, b, col.VELOCITY + lane), speed), cross(spin, r))
        about_joint = sym_rotate(R, get6(data, b, col.INERTIA + lane))
        moves, turns = cross(omega, c), sym_vec(about_joint, omega)
        own = add(scale(m, v), moves)
        kinetic += 0.5 * (m * dot(v, v) + dot(omega, turns)) + dot(v, moves)
        mass += m
        P = add(P, own)
        L = add(L, add(add(turns, cross(c, v)), cross(r, own)))
        S = add(S, add(scale(m, r), c))
        x, y, z = r
        cx, cy, cz = c
        far = m * dot(r, r) + 2.0 * dot(r, c)
        to_base = (
            far - m * x * x - 2.0 * x * cx, -m * x * y - x * cy - y * cx, -m * x * z - x * cz - z * cx,
            far - m * y * y - 2.0 * y * cy, -m * y * z - y * cz - z * cy, far - m * z * z - 2.0 * z * cz,
        )  # fmt: skip
        inertia = sym_add(inertia, sym_add(about_joint, to_base))
    return kinetic, mass, (P, L, S, inertia, speed, spin)


@inlined
def work_between(before, after, h, gravity):
    """J that a base has added in a step of h (s) between what was seen of its plant before and after."""
    P0, L0, S0, inertia0, speed0, spin0 = before
    P1, L1, S1, inertia1, speed1, spin1 = after
    spin = scale(0.5, add(spin0, spin1))
    work = -0.5 * (dot(add(P0, P1), sub(speed1, speed0)) + dot(add(L0, L1), sub(spin1, spin0)))
    work += 0.5 * dot(spin, sym_vec(sym_add(inertia1, sym_scale(-1.0, inertia0)), spin))
    return work - 0.5 * h * dot(gravity, cross(spin, add(S0, S1)))


@inlined
def is_seen_from(stands, loose):
    """Whether all of a plant is on one base that moves, so that its motion is to be seen from there."""
    v, w = load3(stands.now[0], 2), load3(stands.now[0], 3)
    return dot(v, v) + dot(w, w) > 0.0 and len(stands.now) == 1 and loose.used[0, 0] == 0
