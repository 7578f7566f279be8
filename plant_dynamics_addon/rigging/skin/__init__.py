# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that an armature deforms: their weights, where they can part, and how thick they are about bones."""
