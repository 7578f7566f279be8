# SPDX-License-Identifier: GPL-3.0-or-later
"""What an animation asks of the bones' joints: inverse dynamics of whatever moves an armature."""
