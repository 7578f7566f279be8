# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms of rigid bodies on joints of any kind: a tree of transformations A(q), coordinates that follow others, and
rolling (Guenter & Lee 2009, "Symbolic Lagrangian Multibody Dynamics"; Featherstone 2008).

    wire = Spline([(0, 0, 0), (1, 0, -1), (2, 0, 0)])
    bead = Mechanism([Body(point_on_curve(wire, "none"), mass=0.1)])
    run = Run(bead)
    run.advance(1 / 30)
    bead.placed(run.q)

SI units, world z up. Pure NumPy, without the kernels that plants need.
"""

from .constraints import Constrained, Nonholonomic, RollingSurfaces
from .coupling import Coupled
from .curves import Curve, Path, Spline, circle
from .joint import Composed, Given, Inverted, Joint, Moving, Placed
from .joints import Prismatic, Revolute, Spherical, free, planar, universal
from .mechanism import WEIGHT, Body, Loads, MechanicalEnergy, Mechanism
from .on_curve import RollingWheel, point_on_curve
from .on_surface import point_on_surface, surface_on_surface
from .run import Run
from .surfaces import Cylinder, Ellipsoid, Flipped, Patch, Plane, Surface, Torus

__all__ = [
    "WEIGHT", "Body", "Composed", "Constrained", "Coupled", "Curve", "Cylinder", "Ellipsoid", "Flipped", "Given",
    "Inverted", "Joint", "Loads", "MechanicalEnergy", "Mechanism", "Moving", "Nonholonomic", "Patch", "Path",
    "Placed", "Plane", "Prismatic", "Revolute", "RollingSurfaces", "RollingWheel", "Run", "Spherical", "Spline",
    "Surface", "Torus", "circle", "free", "planar", "point_on_curve", "point_on_surface", "surface_on_surface",
    "universal",
]  # fmt: skip
