# SPDX-License-Identifier: GPL-3.0-or-later
"""From a text to a grammar."""
