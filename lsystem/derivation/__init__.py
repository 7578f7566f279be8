# SPDX-License-Identifier: GPL-3.0-or-later
"""From a grammar's axiom to a string of modules."""
