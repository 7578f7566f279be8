# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found out about an animation."""
