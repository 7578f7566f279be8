# SPDX-License-Identifier: GPL-3.0-or-later
"""The error that operators report to the user."""


class PlantError(Exception):
    """Something in the scene cannot be simulated; the message says what, where and what to do."""
