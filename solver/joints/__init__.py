# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of joints: springs and limits, moving and still."""
