# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that are not compiled yet: begun early, told of, and their files."""
