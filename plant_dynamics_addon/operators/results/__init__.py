# SPDX-License-Identifier: GPL-3.0-or-later
"""What is made of a motion: keyframes, comparisons, renders, stresses."""
