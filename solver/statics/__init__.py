# SPDX-License-Identifier: GPL-3.0-or-later
"""Rest: equilibrium, its stability, and shapes that are held."""
