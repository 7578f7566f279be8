# SPDX-License-Identifier: GPL-3.0-or-later
"""What plants are in: loads at a frame, wind, the moving base."""
