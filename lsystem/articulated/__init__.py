# SPDX-License-Identifier: GPL-3.0-or-later
"""L-systems whose modules are bones, in Garcia's notation."""
