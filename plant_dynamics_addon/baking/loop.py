# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion whose end goes over into its beginning."""

import numpy as np

from ..dynamics.rig.rotation_channels import continuous


def closed(channels: np.ndarray, lead: np.ndarray) -> np.ndarray:
    """Channels (frames, bones, 4) whose last frame is the first, with its velocity.

    lead (n + 1, bones, 4): the motion of the n frames before the first one, and the first. Over the last n frames the
    channels are blended into it. The weight's first two derivatives vanish at both ends, so that pose, velocity and
    acceleration are those of the motion where blending begins, and those of the first frame where it ends.
    """
    n = len(lead) - 1
    t = np.linspace(0.0, 1.0, n + 1)[:, None, None]
    weight = t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    tail, lead = continuous(channels)[-n - 1 :], continuous(lead)
    # The nearer of the two signs of each rotation, by the pair's middle: one choice for the blend, so that none jumps.
    middle = n // 2
    lead = lead * np.where(np.einsum("bk,bk->b", tail[middle], lead[middle]) < 0.0, -1.0, 1.0)[None, :, None]
    mixed = (1.0 - weight) * tail + weight * lead
    result = continuous(channels).copy()
    result[-n - 1 :] = mixed / np.linalg.norm(mixed, axis=2, keepdims=True)
    return result
