# SPDX-License-Identifier: GPL-3.0-or-later
"""What every room uses: kinds of arrays, checks of what comes in, the one error."""
