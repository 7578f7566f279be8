# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that follow the simulation as the scene's frame changes."""
