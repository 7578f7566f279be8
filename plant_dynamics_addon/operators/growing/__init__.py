# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow, and what is grown anew."""
