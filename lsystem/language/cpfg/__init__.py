# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of cpfg, the L-system program of L-studio and VLAB: macros, notation, statements, with cpfg's own meaning."""
