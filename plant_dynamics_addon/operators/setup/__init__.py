# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant is: which bones, of what, at rest."""
