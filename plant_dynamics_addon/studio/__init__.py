# SPDX-License-Identifier: GPL-3.0-or-later
"""A small photographer's studio: backdrop, lights, camera and render settings for presentable pictures of plants."""
