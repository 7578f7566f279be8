# SPDX-License-Identifier: GPL-3.0-or-later
"""From rods to rigid bodies and springs: what is constant."""
