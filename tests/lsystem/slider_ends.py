# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a preset's sliders end."""

from collections.abc import Iterator

from lsystem import Preset


def at_slider_ends(preset: Preset) -> Iterator[dict[str, float]]:
    """Constants of a preset with every slider at both of its ends, all others as they are."""
    for slider in preset.sliders:
        if not slider.is_computed:
            yield {slider.name: slider.minimum}
            yield {slider.name: slider.maximum}
