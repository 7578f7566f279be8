# SPDX-License-Identifier: GPL-3.0-or-later
"""The same plant with other values side by side, a plant beside footage, and plots of its motion."""
