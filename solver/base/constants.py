# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants of nature, and bounds of what is computed with."""

#: m/s2, and towards the ground.
GRAVITY = 9.81
EARTH_GRAVITY = (0.0, 0.0, -GRAVITY)

#: kg/m3, at 15 degrees Celsius at sea level (ISO 2533 standard atmosphere).
AIR_DENSITY = 1.225

#: Larger numbers than this are refused: their products would not be finite.
LARGEST = 1e50
