"""The PettingZoo environment under its name and version: `nestline_v1.env(rules="gobblers")`.

Importing it also registers `nestline/nestline-v1` for `pettingzoo.make`, where the installed
version has it. The environment itself is in `pettingzoo`.
"""

import pettingzoo

from nestline.envs.pettingzoo import env, raw_env

ID = "nestline/nestline-v1"

if hasattr(pettingzoo, "register") and ID not in pettingzoo.aec_registry:
    pettingzoo.register("aec", ID, "nestline.envs.nestline_v1:env")

__all__ = ["env", "raw_env"]
