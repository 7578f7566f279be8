# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms on joints of any kind: the paper's figures, the same joints as formulas, and numbers that count."""
