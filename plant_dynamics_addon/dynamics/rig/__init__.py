# SPDX-License-Identifier: GPL-3.0-or-later
"""From bones to rods and back: what is simulated of an armature, and poses written to it."""
