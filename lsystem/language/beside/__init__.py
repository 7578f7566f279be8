# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies beside a file of cpfg and is read with it: the view, functions, curves, contours, surfaces."""
