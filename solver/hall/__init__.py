# SPDX-License-Identifier: GPL-3.0-or-later
"""Hall's chain method: equilibrium of one unbranched stem."""
