# SPDX-License-Identifier: GPL-3.0-or-later
"""Stems and petioles: tubes that flow into one another where they branch."""
