# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that slow the scene's wind down: what they do it with, and which of them stand where."""
