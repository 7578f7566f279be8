# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of bodies that are held: at places, in planes, on curves, and at each other."""
