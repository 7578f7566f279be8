# SPDX-License-Identifier: GPL-3.0-or-later
"""From a string of modules to a skeleton."""
