# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own machinery, whatever its version: curves, view layers, frames, redraws, and long work."""
