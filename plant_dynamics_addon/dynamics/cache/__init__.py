# SPDX-License-Identifier: GPL-3.0-or-later
"""What was simulated, in memory and on disk, and what it is known by."""
