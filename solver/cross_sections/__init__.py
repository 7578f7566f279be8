# SPDX-License-Identifier: GPL-3.0-or-later
"""What rods are across: how they taper, and shapes that are not round."""
