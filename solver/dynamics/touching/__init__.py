# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that touch things, themselves and each other, from step to step."""
