# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured of a plant without playing it: equilibrium, frequencies, damping, what lies on what."""
