# SPDX-License-Identifier: GPL-3.0-or-later
"""How stems of a kind of plant differ from plain tubes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Flare:
    """The foot of a first stem. Lengths are in its radii at the ground."""

    widening: float = 0.25  # by which it is thicker there
    reach: float = 2.4  # how far up
    crests: int = 0  # ridges in which roots leave it
    relief: float = 0.0  # how far these stand out, the grooves between them not at all
    depth: float = 1.0  # how far it goes on below the ground, so that no gap shows


#: Of stems that begin where they are drawn.
NO_FLARE = Flare(widening=0.0, depth=0.0)


@dataclass(frozen=True)
class Prickles:
    """Flat hooks on the skin of stems, which point down."""

    length: float = 0.006  # m, of the largest
    apart: float = 0.014  # m of stem to each, on average
    thinnest: float = 0.0011  # m, radius of a stem from which on it bears them


@dataclass(frozen=True)
class Buds:
    """Buds at the ends of stems and where leaves sit or have sat on them: with brown scales on wood, else green."""

    length: float = 4.0  # in radii of the twig
    slender: float = 0.42  # width over length
    apart: float = 0.0  # m between those along a last twig that bears no leaves; 0: none
    in_axils: bool = False  # above every leaf


@dataclass(frozen=True)
class Twiglets:
    """Fine twigs without bones of their own on thin stems of wood, along these and ahead of those that end."""

    length: float = 0.11  # m, of the longest
    apart: float = 0.035  # m of stem to each, on average
    thickest: float = 0.004  # m, radius of a stem up to which it bears them


@dataclass(frozen=True)
class Nodes:
    """Joints of culms, which stand out as rings."""

    below: float = 0.0  # in radii, how far down a sheath reaches from each; 0: none, the ring alone
    at_leaves: bool = False  # only where leaves leave them, else at every joint
    thinnest: float = 0.0008  # m, radius of a stem from which on it has them


#: m; stems that end thicker than this are broken off.
BROKEN = 0.0055


@dataclass(frozen=True)
class StemShape:
    """What is not the same on all stems."""

    flare: Flare = Flare()
    prickles: Prickles | None = None
    buds: Buds | None = None
    nodes: Nodes | None = None
    twiglets: Twiglets | None = None
    splinters: float = 0.0  # radii, how long those of broken ends are; 0: these are round
