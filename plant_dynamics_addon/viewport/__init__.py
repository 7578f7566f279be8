# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on draws in the 3D view."""
