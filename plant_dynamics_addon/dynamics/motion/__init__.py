# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant in memory, the frames that are known of its motion, and plants that go on together."""
