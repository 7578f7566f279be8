# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic and conditions in productions: parsed, then evaluated over arrays; never as Python."""
