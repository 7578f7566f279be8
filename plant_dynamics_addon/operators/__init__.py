# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can do. Operators collect options, call library functions and report errors."""

from .fixes import CLASSES as FIXES
from .growing.grow import (
    PLANT_DYNAMICS_OT_grow,
    PLANT_DYNAMICS_OT_growth_to_panel,
    PLANT_DYNAMICS_OT_preset_to_text,
    PLANT_DYNAMICS_OT_regrow,
    PLANT_DYNAMICS_OT_show_constants,
)
from .playing.cache import PLANT_DYNAMICS_OT_delete_cache, PLANT_DYNAMICS_OT_save_cache
from .playing.catch_up import PLANT_DYNAMICS_OT_catch_up
from .playing.kernels import CLASSES as KERNELS
from .playing.play import PLANT_DYNAMICS_OT_play, PLANT_DYNAMICS_OT_reset
from .results.bake import PLANT_DYNAMICS_OT_bake, PLANT_DYNAMICS_OT_bake_edited, PLANT_DYNAMICS_OT_clear_bake
from .results.compare import PLANT_DYNAMICS_OT_beside_footage, PLANT_DYNAMICS_OT_compare, PLANT_DYNAMICS_OT_plot_motion
from .results.render_shot import PLANT_DYNAMICS_OT_render_shot
from .results.stress import PLANT_DYNAMICS_OT_measure_stress
from .setup.bones import (
    PLANT_DYNAMICS_OT_apply_scale,
    PLANT_DYNAMICS_OT_copy_to_selected,
    PLANT_DYNAMICS_OT_edit_bones,
    PLANT_DYNAMICS_OT_select_level,
    PLANT_DYNAMICS_OT_simulate_bones,
)
from .setup.dynamics import (
    PLANT_DYNAMICS_OT_choose_plant,
    PLANT_DYNAMICS_OT_make_dynamic,
    PLANT_DYNAMICS_OT_remove_dynamics,
)
from .setup.equilibrium import PLANT_DYNAMICS_OT_measure_frequencies, PLANT_DYNAMICS_OT_pose_at_rest
from .setup.material import PLANT_DYNAMICS_OT_set_material
from .setup.presets import CLASSES as PRESETS
from .world.grab import PLANT_DYNAMICS_OT_grab
from .world.loads import (
    PLANT_DYNAMICS_OT_add_force,
    PLANT_DYNAMICS_OT_add_pull,
    PLANT_DYNAMICS_OT_add_twist,
    PLANT_DYNAMICS_OT_remove_load,
)
from .world.wind import PLANT_DYNAMICS_OT_medium_preset, PLANT_DYNAMICS_OT_wind_preset

CLASSES = (
    PLANT_DYNAMICS_OT_grow,
    PLANT_DYNAMICS_OT_regrow,
    PLANT_DYNAMICS_OT_growth_to_panel,
    PLANT_DYNAMICS_OT_preset_to_text,
    PLANT_DYNAMICS_OT_show_constants,
    PLANT_DYNAMICS_OT_make_dynamic,
    PLANT_DYNAMICS_OT_remove_dynamics,
    PLANT_DYNAMICS_OT_choose_plant,
    PLANT_DYNAMICS_OT_simulate_bones,
    PLANT_DYNAMICS_OT_copy_to_selected,
    PLANT_DYNAMICS_OT_edit_bones,
    PLANT_DYNAMICS_OT_select_level,
    PLANT_DYNAMICS_OT_apply_scale,
    *FIXES,
    PLANT_DYNAMICS_OT_set_material,
    PLANT_DYNAMICS_OT_add_pull,
    PLANT_DYNAMICS_OT_add_force,
    PLANT_DYNAMICS_OT_add_twist,
    PLANT_DYNAMICS_OT_remove_load,
    PLANT_DYNAMICS_OT_wind_preset,
    PLANT_DYNAMICS_OT_medium_preset,
    *PRESETS,
    *KERNELS,
    PLANT_DYNAMICS_OT_pose_at_rest,
    PLANT_DYNAMICS_OT_measure_frequencies,
    PLANT_DYNAMICS_OT_measure_stress,
    PLANT_DYNAMICS_OT_play,
    PLANT_DYNAMICS_OT_reset,
    PLANT_DYNAMICS_OT_catch_up,
    PLANT_DYNAMICS_OT_grab,
    PLANT_DYNAMICS_OT_bake,
    PLANT_DYNAMICS_OT_bake_edited,
    PLANT_DYNAMICS_OT_clear_bake,
    PLANT_DYNAMICS_OT_save_cache,
    PLANT_DYNAMICS_OT_delete_cache,
    PLANT_DYNAMICS_OT_compare,
    PLANT_DYNAMICS_OT_render_shot,
    PLANT_DYNAMICS_OT_plot_motion,
    PLANT_DYNAMICS_OT_beside_footage,
)
