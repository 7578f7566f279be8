# SPDX-License-Identifier: GPL-3.0-or-later
"""What plants grow in, for modules that ask it, `?E`: room among others, light, water in the soil."""
