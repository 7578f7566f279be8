# SPDX-License-Identifier: GPL-3.0-or-later
"""The one array the kernels work on, laid out so that compilers use the processor's vector units.

data (blocks, WIDTH + slots * SLOT): eight bodies make a block, a row of the array; a field's component c of the body
in lane l is data[block, FIELD + 8 c + l]. Loops over a block's lanes compute eight bodies at once; the passes along
the tree read one body's numbers through the same constant offsets. Everything is in one array because compilers can
only then prove that what is written is not read elsewhere. Plants start on a block of their own; lanes without a body
hold harmless numbers.
"""

from .lanes import LANES


class _Columns:
    """Hands out columns one field after the other."""

    def __init__(self) -> None:
        self.end = 0

    def __call__(self, components: int) -> int:
        start = self.end
        self.end += LANES * components
        return start


_field = _Columns()

# What never changes (see model.Bodies), but for REST, which a start that keeps the drawn shape sets.
OFFSET = _field(3)
REST = _field(4)
MASS = _field(1)
COM = _field(3)
INERTIA = _field(6)
STIFFNESS = _field(3)
DAMPING_TIME = _field(1)
DAMPING = _field(1)
BEND_LIMIT = _field(1)
TWIST_LIMIT = _field(1)
LIMIT_STIFFNESS = _field(1)

# Bending moment at which a round joint breaks (N m), its section moduli about x and z over a round one's and corner as
# of Section, and the share of its stiffness that it has then.
STRENGTH = _field(1)
MODULUS = _field(3)
FIBRES = _field(1)

# What evolves (see model.State), one after the other.
STATE_Q = _field(4)
STATE_U = _field(3)
STATE_A = _field(3)
INCREMENT = _field(3)
GAIN = _field(3)
OLDER_INCREMENT = _field(3)
OLDER_GAIN = _field(3)
A_GAIN = _field(3)

# Applied force, torque and twist (see forces/loads.py) at both ends of a frame.
LOADS_BEFORE = _field(7)
LOADS_AFTER = _field(7)

# Where joints would be with relaxed springs, their pose (see world/sample.py): at the beginning of a frame, the turn
# (rad) to the end of it, and at the end of the present step with its rate (rad/s) in its own axes.
POSE_BEFORE = _field(4)
POSE_TURN = _field(3)
POSE = _field(4)
POSE_RATE = _field(3)

# End of the present step, body's frame: joint rotation, rate, acceleration, and the step's rotation vector.
Q = _field(4)
U = _field(3)
A = _field(3)
TURN = _field(3)

# Torque of the joint's spring and damper, and what the implicit treatment adds to its block: a symmetric matrix in the
# body's frame, later in world axes. bias_pass takes the bias moment from the torque in place.
SPRING = _field(3)
IMPLICIT = _field(6)

# Rotation from the parent's frame, until orientations are known; then the correction in world axes.
RELATIVE = _field(9)
CORRECTION = RELATIVE

# World axes, of the inboard joint: orientation, position, velocities, accelerations without the correction, and the
# arm from the parent's joint to this one. After a solve, OMEGA, ALPHA and ACCELERATION are scratch of friction.py.
ROTATION = _field(9)
POSITION = _field(3)
OMEGA = _field(3)
VELOCITY = _field(3)
ALPHA = _field(3)
ACCELERATION = _field(3)
ARM = _field(3)

# World axes, about the joint: articulated inertia (rotation, coupling, translation), inverse of the joint's block, and
# how the joint gives way to a turn and to a shift of its parent's joint; these stay valid for a few solves.
IA_RR = _field(6)
IA_RT = _field(9)
IA_TT = _field(6)
D_INVERSE = _field(6)
GIVES_R = _field(9)
GIVES_T = _field(9)

# World axes, about the joint: bias moment and force, and the accelerations due to the correction. Scratch of other
# passes besides: X_T of factorise (sums of forces), PA_* of whole_change (accelerations), X_R as RATES in stability.py.
PA_R = _field(3)
PA_T = _field(3)
X_R = _field(3)
X_T = _field(3)

# Squares of a body's angular velocity, or of the joint's turn in a step, and of what a solve moved.
TURNED = _field(1)
MOVED = _field(1)

# Square of the share for which it counts how far a body is moved: see count_bodies in forces/air.py.
COUNTS = _field(1)

# The panel whose drag is being computed, but for what blades alone have.
PANEL = _field(16)

# Of plants that follow their pose (see joints/following.py). How, at both ends of a frame and now: share, stiffness
# (1/s2), damping (1/s), largest moment (N m). The drawn rest from the springs' one. The pose's rotation vector from the
# frame's beginning: first and second derivative there, then at the end. The pose's acceleration (rad/s2).
FOLLOW_BEFORE = _field(4)
FOLLOW_AFTER = _field(4)
FOLLOW = _field(4)
DRAWN = _field(4)
PATH = _field(12)

# What their joints carry in the pose, weighed as in joints/reference.py, in the bodies' axes (xx, xy, xz, yy, yz, zz),
# at both ends and now; the first two come with PATH.
WEIGHED_BEFORE = _field(6)
WEIGHED_AFTER = _field(6)
WEIGHED = _field(6)
POSE_GAIN = _field(3)

# Scratch of the same, in world axes: the moment that leads back, what is implicit of it, and the angular velocity of
# bodies if joints did as the pose does.
LEADS = _field(3)
HELD = _field(6)
OMEGA_R = _field(3)

# Of plants whose rods get longer or are shifted (see joints/stretching.py): 1 in the first lane. First and second
# derivative of the joint's place in the parent's axes. Of the mass, which moves in the body's axes, sums of velocities,
# of accelerations, of places times velocities (3 x 3) and of places x accelerations; energy (J) of that motion.
STRETCHES = _field(1)
OFFSET_RATE = _field(3)
OFFSET_GAIN = _field(3)
FIRST_RATE = _field(3)
FIRST_GAIN = _field(3)
SPREAD_RATE = _field(9)
SPREAD_GAIN = _field(3)
OWN_MOTION = _field(1)

WIDTH = _field.end

# A body's panels lie in slots behind the fields. Columns within a slot:
_panel = _Columns()
CENTER = _panel(3)
AXIS = _panel(3)
ALONG = _panel(1)
ACROSS = _panel(1)
CUP = _panel(1)
ROLLS = _panel(1)
AIR_BEFORE = _panel(3)
AIR_AFTER = _panel(3)
OF_BLADES = _panel.end  # what follows counts for blades alone
PLATE = _panel(1)
PLATE_ALONG = _panel(1)
CHORD = _panel(3)
AIR_VOLUME = _panel(1)
SHIFT = _panel(1)
PLATE_AIR_BEFORE = _panel(4)
PLATE_AIR_AFTER = _panel(4)
SLOT = _panel.end
