# SPDX-License-Identifier: GPL-3.0-or-later
"""Air drag: wind, still air and the damping they add are one law of the velocity relative to the air.

Force on a panel = density / 2 (along |v_a| v_a + across |v_p| v_p) with v the air's velocity relative to the panel, v_a
its part along the panel's axis and v_p the rest (Hoerner 1965; for a cylinder the axis is the rod's, for a leaf blade
the normal). Its derivative with respect to the velocity, at most density (along |v_a|, across |v_p|), goes into the
body's inertia, so that drag is implicit and costs no stability.
"""

import math

from ..data import columns as col
from ..data.lanes import LANES, add3, get3, get9
from ..machine.jit import inlined
from ..math.vectors import add, cross, dot, mat_vec, scale, sub
from .body_forces import add_point


@inlined
def air_drag(data, slots, density, s, c1, factor):
    """Add drag at the share s of the frame to the bias forces, and its implicit part to the inertias."""
    for b in range(len(data)):
        for slot in range(slots[b]):
            first = col.WIDTH + slot * col.SLOT
            for c in range(col.SLOT):
                data[b, col.PANEL + c] = data[b, first + c]
            for lane in range(LANES):
                c = col.PANEL + lane
                R = get9(data, b, col.ROTATION + lane)
                e, axis = mat_vec(R, get3(data, b, c + col.CENTER)), mat_vec(R, get3(data, b, c + col.AXIS))
                own = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), e))
                air = add(scale(1.0 - s, get3(data, b, c + col.AIR_BEFORE)), scale(s, get3(data, b, c + col.AIR_AFTER)))
                v = sub(air, own)
                speed_along = dot(v, axis)
                v_across = sub(v, scale(speed_along, axis))
                k_along = 0.5 * density * data[b, c + col.ALONG] * abs(speed_along)
                k_across = 0.5 * density * data[b, c + col.ACROSS] * math.sqrt(dot(v_across, v_across))
                force = add(scale(k_along * speed_along, axis), scale(k_across, v_across))
                add3(data, b, col.PA_T + lane, scale(-1.0, force))
                add3(data, b, col.PA_R + lane, cross(force, e))
                if not factor:
                    continue
                g, more = 2.0 * c1 * k_across, 2.0 * c1 * (k_along - k_across)
                x, y, z = axis
                G = (
                    g + more * x * x, more * x * y, more * x * z,
                    g + more * y * y, more * y * z,
                    g + more * z * z,
                )  # fmt: skip
                add_point(data, b, lane, e, G)
