# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies flat."""

from solver import Model, Rods, discretize


def leaf(friction: float = 0.5) -> Model:
    """A blade of 8 cm by 5 cm of one body, 2 mm thick, along its base's y axis and across its x axis."""
    rods = Rods(
        parent=[-1], head=[(0.0, 0.0, 0.0)], frame=[(1.0, 0.0, 0.0, 0.0)], length=0.08, radius_base=1e-3,
        radius_tip=1e-3, young=1e9, density=500.0, blade_area=0.004, friction=friction,
    )  # fmt: skip
    return discretize(rods, "base", segments=1)
