# SPDX-License-Identifier: GPL-3.0-or-later
"""What the rest speaks of: errors, a reader's place in a text, modules, organs, quaternions, the skeleton."""
