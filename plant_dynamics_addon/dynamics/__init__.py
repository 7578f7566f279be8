# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures in motion: read them, sample the scene, simulate, cache, write poses."""
