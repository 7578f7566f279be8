# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits of the user's rig, and what is to be said of it."""
