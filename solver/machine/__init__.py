# SPDX-License-Identifier: GPL-3.0-or-later
"""How kernels become machine code, are found, loaded and called."""
