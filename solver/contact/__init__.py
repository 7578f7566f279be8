# SPDX-License-Identifier: GPL-3.0-or-later
"""What touches what, where and how: shapes of bodies, colliders of the world, and the points at which they meet."""
