# SPDX-License-Identifier: GPL-3.0-or-later
"""From an L-system skeleton to an armature with a skinned plant mesh."""
