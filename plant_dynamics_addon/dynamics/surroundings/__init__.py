# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on a plant at a frame: wind, force fields, handles, keyed poses, the moving base."""
