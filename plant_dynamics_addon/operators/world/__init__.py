# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on plants: loads, the mouse, wind."""
