# SPDX-License-Identifier: GPL-3.0-or-later
"""The plant's list of loads: each kind one file, with its properties, its button and what it does."""
