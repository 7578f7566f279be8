# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a plant is Blender data: armature, skin, instances, pot, and what is tied to them."""
