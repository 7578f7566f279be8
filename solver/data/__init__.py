# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernels read and write, and how it lies in memory."""
