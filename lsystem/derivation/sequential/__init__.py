# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivation from left to right, one module after the other, for texts whose outcome depends on the order: cpfg's."""
