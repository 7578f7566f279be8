# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a skeleton as arrays: stems, leaves and flowers. Python and NumPy only."""
