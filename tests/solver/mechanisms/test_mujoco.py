# SPDX-License-Identifier: GPL-3.0-or-later
"""What MuJoCo can express: hinges, slides, balls and two hinges at one place, with springs and dampers."""

import mujoco
import numpy as np
import pytest

from solver import mechanisms as m
from tests.oracles.jointed.figures import at

XML = """
<mujoco><option timestep="0.0005" integrator="RK4" gravity="0 0 -9.81"><flag contact="disable"/></option>
<worldbody><body pos="0 0 1">
  <inertial pos="0.1 0 0.05" mass="1" diaginertia="0.02 0.03 0.04"/>
  <joint type="hinge" axis="1 0 0" stiffness="2" damping="0.05"/><joint type="hinge" axis="0 1 0"/>
  <body pos="0.3 0 0">
    <inertial pos="0 0.2 0" mass="0.5" diaginertia="0.01 0.02 0.015"/><joint type="ball" stiffness="1.5"/>
    <body pos="0 0.3 0"><inertial pos="0 0 0" mass="0.4" diaginertia="0.01 0.01 0.015"/>
      <joint type="slide" axis="0 0 1" stiffness="60" springref="0.1"/></body>
  </body></body></worldbody></mujoco>
"""


def test_a_motion_is_mujocos():
    bodies = [
        m.Body(m.universal(), 1.0, (0.1, 0, 0.05), (0.02, 0.03, 0.04), placement=at(z=1), stiffness=(2, 0),
               damping=(0.05, 0)),
        m.Body(m.Spherical(), 0.5, (0, 0.2, 0), (0.01, 0.02, 0.015), 0, at(0.3), stiffness=1.5),
        m.Body(m.Prismatic(), 0.4, (0, 0, 0), (0.01, 0.01, 0.015), 1, at(0, 0.3), stiffness=60.0, rest=0.1),
    ]  # fmt: skip
    system = m.Mechanism(bodies)
    run = m.Run(system, u=[0.5, 1.0, 0.3, -0.2, 0.1, 0.4], tolerance=1e-5)
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    data.qvel[:] = run.u
    for _ in range(15):
        run.advance(1 / 30)
    for _ in range(1000):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    places = system.placed(run.q)[:, :3, 3]
    assert np.ptp(places[:, 2]) > 0.1
    assert places == pytest.approx(data.xpos[1:], abs=1e-7)  # their steps, of fourth order
