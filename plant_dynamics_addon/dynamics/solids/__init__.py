# SPDX-License-Identifier: GPL-3.0-or-later
"""Which solids meshes are, for what plants touch and what they move."""
