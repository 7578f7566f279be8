# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion: the articulated-body algorithm, steps in time and what keeps them stable."""
