# SPDX-License-Identifier: GPL-3.0-or-later
"""All laws of force one after the other: what they do to moving bodies, to still ones, and their energy.

Each has a file of its own with these parts side by side, with what reads it from a sample, and with what tells whether
it may add energy, which interval.py asks. Statics know of two laws besides: imbalance.py and equilibrium.py of pulls,
which may be very stiff, and settling.py of air and force fields, which differ wherever a plant bends to.
"""

from ..contact.pair_forces import pair_energy
from ..guides.pulls import pull_energy, pull_forces, still_pulls
from ..guides.ties import still_ties, tie_energy, tie_forces
from ..joints.following import follow, hold
from ..machine.jit import inlined
from .air import air_drag, still_drag
from .applied import applied_loads, still_loads
from .body import body_forces, own_inertias
from .contact import contact_energy, push_bodies
from .force_field import field_forces, still_field
from .leaning import still_pairs
from .loads import AIR_DENSITY, gravity_of
from .resting import still_contacts


@inlined
def moving(data, slots, parent, stands, world, s, is_applied, c1, c2, factor):
    """Fill the bias forces of all bodies at the share s of a frame and, to factorise, start their articulated inertias
    with what c1 (s) and c2 (s2) make of the laws' dependence on velocities and places.

    Returns the largest angular velocity (rad/s).
    """
    fastest = body_forces(data)
    if world.follows:
        follow(data, parent, stands, world.loose, gravity_of(world.now), c1, c2)
    if is_applied:
        applied_loads(data, s)
    if factor:
        own_inertias(data, c2)
        if world.follows:
            hold(data)
    if world.now[AIR_DENSITY] > 0.0:
        if factor:
            air_drag(data, slots, world.now, s, world.duration, c1, True)
        else:
            air_drag(data, slots, world.now, s, world.duration, c1, False)
    pull_forces(data, world.pulls, c1, c2, factor)
    field_forces(data, world.field_before, world.field_after, s, c1, c2, factor)
    push_bodies(data, world.touching, factor, c2)
    tie_forces(data, world.ties, c1, c2)
    return fastest


@inlined
def still_on_body(bodies, world, work, i):
    """Set wrench and tangent of body i from what acts on every body alike."""
    still_loads(bodies, world, work, i)
    still_drag(world, work, i)
    still_field(bodies, world, work, i)


@inlined
def still_on_points(world, work):
    """Add to wrenches and tangents what acts on some points."""
    still_pulls(world, work)
    still_ties(world, work)
    still_contacts(world, work)
    still_pairs(world, work)


@inlined
def potential(data, world):
    """Energy (J) of the laws that have one of their own, besides gravity."""
    touching = contact_energy(data, world.touching) + pair_energy(data, world.touching.shapes, world.pairs)
    return pull_energy(data, world.pulls) + tie_energy(data, world.ties) + touching
