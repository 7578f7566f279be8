# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of what acts on bodies."""
