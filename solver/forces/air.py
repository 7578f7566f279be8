# SPDX-License-Identifier: GPL-3.0-or-later
"""Air drag: wind, still air and the damping they add are one law of the velocity relative to the air.

Force on a panel = density / 2 (along |v_a| v_a + across |v_p| v_p) with v the air's velocity relative to the panel, v_a
its part along the panel's axis and v_p the rest (Hoerner 1965; for a cylinder the axis is the rod's, for a leaf blade
the normal). Its derivative with respect to the velocity, at most density (along |v_a|, across |v_p|), goes into the
body's inertia, so that drag is implicit and costs no stability.

That law is odd: what is turned about by half a turn has the same drag. A blade that is hollow like a cup has more of it
from air that blows into it, against its normal, and as much less from air onto its back: along + cup and along - cup.

A plate feels air that comes nearly along it much more than that: with density / 2 plate |v_p| v_a along its normal, a
quarter of its chord from its middle, towards where the air comes from (thin airfoils: Glauert 1926; leaves and cards
that fall flutter and tumble by it: Andersen, Pesavento and Wang 2005). Air along the rod finds a plate that is long
and not wide, and it rises less: plate is weighed by the squares of the flow's cosines along the chord and along the
rod. Where the air meets it more steeply the plate stalls: of that 1 / (1 + (v_a / (STALL |v_p|))^2) is left, with
which plates of a few times their chord have, from 15 degrees on, the normal force of about 0.9 that Hoerner gives. So
it turns across the flow, and with v_a taken where the force acts still air can only take energy from it. And it
resists turning about its length, as points away from its middle do that go against the air. Eddies no wider than it is
are faster at one edge than at the other: as much as the air turns, it turns the plate along.

Behind a plate that stalls the flow leaves its edges, and its pressure is centred off its middle towards where the air
comes from by 3/4 cos(a) / (4 + pi sin(a)) of its chord, at an incidence a, as between free streamlines (Rayleigh 1876,
Philosophical Magazine 2, 430-441; Lamb, Hydrodynamics, art. 77): there acts the drag of a plate, by a share of that, at
the speed that it has there, so that still air can only take energy from it too.

It also carries air with it where it moves across itself: pi / 4 density chord^2 per length of a long plate, which in
turns about its length has a radius of gyration of chord / sqrt(32) (Theodorsen 1935, NACA report 496). The force is
that mass times the rate at which the normal velocity relative to the air changes, so that no energy is lost. Of the
ideal flow's other two parts, a force along the plate and Munk's moment, which together do no work, the moment is that
by the lever above, with the stall.

A blade that is wide for its rigidity D rolls up in wind, into a cone or along its midrib (Vogel 1989): it faces air of
a speed v with 1 / sqrt(1 + (v / U)^2) of its width, so that beyond U its drag grows with v and not with its square
(de Langre 2008), and what turns it, with area and width, by as much less again. U is where that pressure, density / 2
C U^2, would bend half of its width b by b: by C density b^4 U^2 / 16 D, as a strip that the midrib holds.

Buoyancy: air or water also carries a rod by the weight of as much of it as the rod's volume.
"""

import math

from ..base.arrays import Bools, Floats, Ints
from ..base.checks import truth
from ..data import columns as col
from ..data.implicit import add_point
from ..data.lanes import LANES, add3, add6, any_positive, get3, get8, get9, put3, put8
from ..data.wrench import add_wrench
from ..machine.jit import inlined, subroutine
from ..math.matrices import hat, hat_hat, mat_add, mat_mul, mat_scale, mat_vec, outer
from ..math.memory import load3, load9, store3, store9
from ..math.symmetric import sym_along
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.model import Model
from ..world.sample import Sample
from .driven import plants_with
from .loads import AIR_DENSITY, Loads, gravity_of

#: Bodies that rise count for so much where steps are judged. How leaves flutter is chaotic: where one is after a second
#: hangs on errors of any size, so that smaller ones do not make it right. What it does to its twig counts in full.
LEAVES_COUNT = 0.1

#: No body has more panels; compilers see by it that columns are not negative, and copy eight bodies' at once.
MOST_SLOTS = (1 << 16) - 1

#: Tangent of the angle at which air meets a plate that rises with half of that.
STALL = 0.4
_STEEP = 1.0 / (STALL * STALL)

# How much a plate flutters, at both ends of a frame.
_FLUTTER_BEFORE, _FLUTTER_AFTER = (air + 3 * LANES for air in (col.PLATE_AIR_BEFORE, col.PLATE_AIR_AFTER))


@inlined
def air_drag(data, slots, shared, s, duration, c1, factor):
    """Add drag at the share s of a frame of duration (s) to the bias forces, and its implicit part to the inertias."""
    density, gravity = shared[AIR_DENSITY], gravity_of(shared)
    for b in range(len(data)):
        for slot in range(slots[b]):
            first = col.WIDTH + (slot & MOST_SLOTS) * col.SLOT
            for c in range(0, col.OF_BLADES, LANES):
                put8(data, b, col.PANEL + c, get8(data, b, first + c))
            for lane in range(LANES):
                c = col.PANEL + lane
                e, axis, v = _meeting(data, b, lane, c, s)
                speed_along = dot(v, axis)
                v_across = sub(v, scale(speed_along, axis))
                cup = data[b, c + col.CUP] if speed_along < 0.0 else -data[b, c + col.CUP]
                k_along = 0.5 * density * _faces(density * data[b, c + col.ROLLS], v) * (data[b, c + col.ALONG] + cup)
                k_along *= abs(speed_along)
                k_across = 0.5 * density * data[b, c + col.ACROSS] * math.sqrt(dot(v_across, v_across))
                force = add(scale(k_along * speed_along, axis), scale(k_across, v_across))
                add3(data, b, col.PA_T + lane, scale(-1.0, force))
                add3(data, b, col.PA_R + lane, cross(force, e))
                if not factor:
                    continue
                g, more = 2.0 * c1 * k_across, 2.0 * c1 * (k_along - k_across)
                x, y, z = axis
                G = (
                    g + more * x * x, more * x * y, more * x * z,
                    g + more * y * y, more * y * z,
                    g + more * z * z,
                )  # fmt: skip
                add_point(data, b, lane, e, G)
            if not (
                any_positive(data, b, first + col.PLATE)
                or any_positive(data, b, first + col.AIR_VOLUME)
                or any_positive(data, b, first + col.SHIFT)
            ):
                continue
            for lane in range(LANES):  # apart, for most bodies have no plates
                c = first + lane
                flutter = (1.0 - s) * data[b, c + _FLUTTER_BEFORE] + s * data[b, c + _FLUTTER_AFTER]
                if data[b, c + col.PLATE] > 0.0:
                    _rise(data, b, lane, c, s, density, flutter, c1, factor)
                if data[b, c + col.SHIFT] > 0.0:
                    _shift_drag(data, b, lane, c, s, density, flutter, c1, factor)
                if data[b, c + col.AIR_VOLUME] > 0.0:
                    _carry_air(data, b, lane, c, s, flutter * density, gravity, duration, factor)


@inlined
def _meeting(data, b, lane, c, s):
    """Arm of the panel at column c from its body's joint, its axis, and how the air meets it, in world axes."""
    R = get9(data, b, col.ROTATION + lane)
    e, axis = mat_vec(R, get3(data, b, c + col.CENTER)), mat_vec(R, get3(data, b, c + col.AXIS))
    own = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), e))
    air = add(scale(1.0 - s, get3(data, b, c + col.AIR_BEFORE)), scale(s, get3(data, b, c + col.AIR_AFTER)))
    return e, axis, sub(air, own)


@inlined
def _faces(rolls, v):
    """With which share of its width a panel faces air of a velocity v that rolls it up, by rolls over its square."""
    return 1.0 / math.sqrt(1.0 + rolls * dot(v, v))


@inlined
def count_bodies(data, slots, density):
    """Let all bodies count in full, but for those with plates that rise in air of a density (kg/m3)."""
    for b in range(len(data)):
        for lane in range(LANES):
            data[b, col.COUNTS + lane] = 1.0
        for slot in range(slots[b] if density > 0.0 else 0):
            for lane in range(LANES):
                if data[b, col.WIDTH + slot * col.SLOT + col.PLATE + lane] > 0.0:
                    data[b, col.COUNTS + lane] = LEAVES_COUNT * LEAVES_COUNT


@inlined
def _rise(data, b, lane, c, s, density, flutter, c1, factor):
    """Add what the panel at column c, a plate, rises with, and what it resists its turning with."""
    e, axis, v = _meeting(data, b, lane, c, s)
    speed_along = dot(v, axis)
    v_across = sub(v, scale(speed_along, axis))
    faces = _faces(density * data[b, c + col.ROLLS], v)
    chord = scale(faces, mat_vec(get9(data, b, col.ROTATION + lane), get3(data, b, c + col.CHORD)))
    speed, width = math.sqrt(dot(v_across, v_across)), math.sqrt(dot(chord, chord))
    omega = get3(data, b, col.OMEGA + lane)
    turn = add(
        scale(1.0 - s, get3(data, b, c + col.PLATE_AIR_BEFORE)), scale(s, get3(data, b, c + col.PLATE_AIR_AFTER))
    )
    share = dot(v_across, chord) / max(width * speed, 1e-300)
    shift = scale(-0.25 * share, chord)
    at, meets = add(e, shift), speed_along - dot(cross(omega, shift), axis)
    least = data[b, c + col.PLATE_ALONG]
    stalled = speed * speed / max(speed * speed + _STEEP * speed_along * speed_along, 1e-300)
    k = 0.5 * flutter * density * faces * (least + share * share * (data[b, c + col.PLATE] - least)) * stalled * speed
    force = scale(k * meets, axis)
    span = scale(1.0 / width, cross(axis, chord))
    turns = dot(omega, span) + dot(turn, axis)
    resists = density * faces * data[b, c + col.ALONG] * width * width / 24.0
    resists *= abs(speed_along) + 0.25 * width * abs(turns)
    add3(data, b, col.PA_T + lane, scale(-1.0, force))
    add3(data, b, col.PA_R + lane, add(cross(force, at), scale(resists * turns, span)))
    if factor:
        add_point(data, b, lane, at, sym_along(axis, c1 * k))
        add6(data, b, col.IA_RR + lane, sym_along(span, 2.0 * c1 * resists))


@inlined
def _shift_drag(data, b, lane, c, s, density, flutter, c1, factor):
    """Move the drag along the normal of the panel at column c, which acts on its middle so far."""
    e, axis, v = _meeting(data, b, lane, c, s)
    meets, faces = dot(v, axis), _faces(density * data[b, c + col.ROLLS], v)
    chord = scale(faces, mat_vec(get9(data, b, col.ROTATION + lane), get3(data, b, c + col.CHORD)))
    shift = scale(-min(flutter, 1.0) * data[b, c + col.SHIFT] * _lever(v, chord, meets), chord)
    there = meets - dot(cross(get3(data, b, col.OMEGA + lane), shift), axis)
    along, cup = faces * data[b, c + col.ALONG], faces * data[b, c + col.CUP]
    k = 0.5 * density * (along + (cup if meets < 0.0 else -cup)) * abs(meets)
    k_there = 0.5 * density * (along + (cup if there < 0.0 else -cup)) * abs(there)
    at = add(e, shift)
    add3(data, b, col.PA_T + lane, scale(k * meets - k_there * there, axis))
    add3(data, b, col.PA_R + lane, cross(axis, sub(scale(k_there * there, at), scale(k * meets, e))))
    if factor:
        add_point(data, b, lane, e, sym_along(axis, -2.0 * c1 * k))
        add_point(data, b, lane, at, sym_along(axis, 2.0 * c1 * k_there))


@inlined
def _lever(v, chord, meets):
    """How far off its middle, over its chord, air with a velocity v, and meets along its normal, presses a plate."""
    both = 4.0 * math.sqrt(dot(v, v)) + math.pi * abs(meets)
    return 0.75 * dot(v, chord) / max(math.sqrt(dot(chord, chord)) * both, 1e-300)


@inlined
def _carry_air(data, b, lane, c, s, density, gravity, duration, factor):
    """Add what the air that the panel at column c carries resists with."""
    e, axis, v = _meeting(data, b, lane, c, s)
    omega, alpha = get3(data, b, col.OMEGA + lane), get3(data, b, col.ALPHA + lane)
    gains = add(cross(alpha, e), cross(omega, cross(omega, e)))
    gains = add(add(get3(data, b, col.ACCELERATION + lane), gravity), gains)
    air_gains = scale(1.0 / duration, sub(get3(data, b, c + col.AIR_AFTER), get3(data, b, c + col.AIR_BEFORE)))
    mass = density * data[b, c + col.AIR_VOLUME]
    force = scale(mass * (dot(sub(gains, air_gains), axis) - dot(v, cross(omega, axis))), axis)
    span, inertia = _turning_air(data, b, lane, c, axis, mass)
    add3(data, b, col.PA_T + lane, force)
    add3(data, b, col.PA_R + lane, add(cross(e, force), scale(inertia * dot(alpha, span), span)))
    if factor:
        add_point(data, b, lane, e, sym_along(axis, mass))
        add6(data, b, col.IA_RR + lane, sym_along(span, inertia))


@inlined
def _turning_air(data, b, lane, c, axis, mass):
    """The direction along the plate at column c with this normal, and the inertia (kg m2) about it of its air (kg)."""
    chord = mat_vec(get9(data, b, col.ROTATION + lane), get3(data, b, c + col.CHORD))
    width2 = dot(chord, chord)
    return scale(1.0 / math.sqrt(width2), cross(axis, chord)), mass * width2 / 32.0


@inlined
def air_energy(data, density):
    """Kinetic energy (J) of still air of a density (kg/m3) that plates carry along at the end of a frame."""
    energy = 0.0
    for b in range(len(data)):
        for first in range(col.WIDTH, data.shape[1], col.SLOT):
            for lane in range(LANES):
                c = first + lane
                mass = data[b, c + _FLUTTER_AFTER] * density * data[b, c + col.AIR_VOLUME]
                if mass > 0.0:
                    R, omega = get9(data, b, col.ROTATION + lane), get3(data, b, col.OMEGA + lane)
                    axis, chord = mat_vec(R, get3(data, b, c + col.AXIS)), mat_vec(R, get3(data, b, c + col.CHORD))
                    own = cross(omega, mat_vec(R, get3(data, b, c + col.CENTER)))
                    meets = dot(add(get3(data, b, col.VELOCITY + lane), own), axis)
                    turns = dot(omega, cross(axis, chord))
                    energy += 0.5 * mass * (meets * meets + turns * turns / 32.0)
    return energy


@subroutine
def air_power(data, slots, shared, duration, base):
    """W of air that stands still on all bodies, whose motion is seen from a base (6, 4)."""
    place, speed, spin = load3(base, 0), load3(base, 2), load3(base, 3)
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, col.PA_T + lane, ZERO)
            put3(data, b, col.PA_R + lane, ZERO)
    air_drag(data, slots, shared, 1.0, duration, 0.0, False)
    power = 0.0
    for b in range(len(data)):
        for lane in range(LANES):
            r = sub(get3(data, b, col.POSITION + lane), place)
            v = sub(sub(get3(data, b, col.VELOCITY + lane), speed), cross(spin, r))
            power -= dot(get3(data, b, col.PA_T + lane), v)
            power -= dot(get3(data, b, col.PA_R + lane), sub(get3(data, b, col.OMEGA + lane), spin))
    return power


def air_drives(before: Floats, after: Floats, plant_of_panels: Ints, plants: int) -> Bools | bool:
    """(plants,) air that moves (p, 3) may add energy to: still air only takes."""
    return plants_with((before, after), plant_of_panels, plants)


@inlined
def still_drag(world, work, i):
    """Drag of steady air on the panels of body i, with its change as they turn."""
    panels = world.panels
    if len(world.loads.air) == 0:
        return
    R = load9(work.rotation, i)
    density = world.loads.shared[0, AIR_DENSITY]
    for p in range(panels.start[i], panels.start[i + 1]):
        air = load3(world.loads.air, p)
        faces = _faces(density * panels.rolls[p], air)
        axis, c = mat_vec(R, load3(panels.axis, p)), mat_vec(R, load3(panels.center, p))
        s = dot(air, axis)
        across = sub(air, scale(s, axis))
        speed = math.sqrt(dot(across, across))
        along = panels.along[p] + (panels.cup[p] if s < 0.0 else -panels.cup[p])
        k_a, k_p = 0.5 * density * faces * along, 0.5 * density * panels.across[p]
        up = scale(-1.0, add(scale(k_a * abs(s) * s, axis), scale(k_p * speed, across)))
        # The axis changes by turn x axis, so s by (axis x air) turn, and the part across by minus the part along.
        s_turn = cross(axis, air)
        axis_turn = mat_scale(-1.0, hat(axis))
        along_turn = mat_add(outer(axis, s_turn), mat_scale(s, axis_turn))
        change = mat_add(mat_scale(2.0 * k_a * abs(s), outer(axis, s_turn)), mat_scale(k_a * abs(s) * s, axis_turn))
        change = mat_add(change, mat_scale(-k_p * speed, along_turn))
        if speed > 0.0:
            change = mat_add(change, mat_scale(-k_p * s / speed, outer(across, s_turn)))
        change = mat_scale(-1.0, change)
        _add_changing(work, i, c, up, change)
        if len(world.loads.plate_air) == 0:
            continue
        flutter = world.loads.plate_air[p, 3]
        if panels.shift[p] > 0.0 and flutter > 0.0:
            shifts = scale(-min(flutter, 1.0) * faces * panels.shift[p], mat_vec(R, load3(panels.chord, p)))
            _shift_still_drag(work, i, axis, air, shifts, s, s_turn, axis_turn, k_a)
        if panels.plate[p] > 0.0 and speed > 0.0:
            chord = scale(faces, mat_vec(R, load3(panels.chord, p)))
            width, least = math.sqrt(dot(chord, chord)), panels.plate_along[p]
            share, more = dot(air, chord) / (width * speed), panels.plate[p] - least
            whole, both = least + share * share * more, speed * speed + _STEEP * s * s
            stalled = speed * speed / both
            k = 0.5 * flutter * density * faces * whole * stalled
            rises = scale(-k * speed * s, axis)
            at = add(c, scale(-0.25 * share, chord))
            speed_turn = scale(-s / speed, s_turn)
            share_turn = sub(scale(1.0 / (width * speed), cross(chord, air)), scale(share / speed, speed_turn))
            stall_turn = scale(-2.0 * _STEEP * s * dot(air, air) / (both * both), s_turn)
            k_turn = add(scale(2.0 * share * more * stalled, share_turn), scale(whole, stall_turn))
            k_turn = scale(0.5 * flutter * density * faces, k_turn)
            rises_turn = add(scale(k * s, speed_turn), add(scale(k * speed, s_turn), scale(speed * s, k_turn)))
            change = mat_add(mat_scale(-1.0, outer(axis, rises_turn)), mat_scale(-k * speed * s, axis_turn))
            _add_changing(work, i, at, rises, change)
            moves = cross(scale(-0.25, chord), rises)
            store9(work.rr, i, mat_add(load9(work.rr, i), outer(moves, share_turn)))


@inlined
def _shift_still_drag(work, i, axis, air, shifts, s, s_turn, axis_turn, k):
    """Add the moment that drag k |s| s along the axis has by acting off the middle of its plate, by a lever of shifts
    (3,) m, which is against the chord; s_turn, axis_turn: changes with a turn of body i."""
    lever, width = -_lever(air, shifts, s), math.sqrt(dot(shifts, shifts))
    at, up = scale(lever, shifts), scale(-k * abs(s) * s, axis)
    change = mat_add(mat_scale(-2.0 * k * abs(s), outer(axis, s_turn)), mat_scale(-k * abs(s) * s, axis_turn))
    both = max(4.0 * math.sqrt(dot(air, air)) + math.pi * abs(s), 1e-300)
    steeper = math.pi * lever / both if s > 0.0 else -math.pi * lever / both
    lever_turn = sub(scale(-0.75 / max(width * both, 1e-300), cross(shifts, air)), scale(steeper, s_turn))
    store3(work.moment, i, add(load3(work.moment, i), cross(at, up)))
    both_turn = mat_add(mat_add(hat_hat(up, at), mat_mul(hat(at), change)), outer(cross(shifts, up), lever_turn))
    store9(work.rr, i, mat_add(load9(work.rr, i), both_turn))


@inlined
def _add_changing(work, i, at, up, change):
    """Add minus a force at an arm from the joint of body i, that changes so with a turn of the body, on its own."""
    add_wrench(work, i, at, up)
    store9(work.tr, i, mat_add(load9(work.tr, i), change))
    store9(work.rr, i, mat_add(load9(work.rr, i), mat_add(hat_hat(up, at), mat_mul(hat(at), change))))


def carried_by_air(sample: Sample, loads: Loads, model: Model, plant_of_bodies: Ints) -> Floats | None:
    """(n, 3) N at the bodies' centres of mass, or None. Raises SolverError for what is not True or False."""
    shared = loads.shared[plant_of_bodies] if truth("buoyancy", sample.buoyancy) else None
    if shared is None or not shared[:, AIR_DENSITY].any():
        return None
    force: Floats = -shared[:, AIR_DENSITY, None] * model.body_volume[:, None] * shared[:, :3]
    return force
