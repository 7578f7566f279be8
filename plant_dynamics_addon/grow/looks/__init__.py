# SPDX-License-Identifier: GPL-3.0-or-later
"""What plants look like: shapes of organs, colours, materials and their shader nodes."""
