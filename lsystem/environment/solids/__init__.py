# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids that plants grow around: where their surface is, what is within them, what they hide of the sky."""
