# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that follow what leads them: constraints set aside meanwhile, and where they would lead."""
