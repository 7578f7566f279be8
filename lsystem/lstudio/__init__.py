# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of L-studio and VLAB: a file of cpfg and what lies beside it, the view, functions, curves."""
