"""The PettingZoo environment under its name and version: `nestline_v1.env(rules="gobblers")`.

Importing it also registers `nestline/nestline-v1` for `pettingzoo.make`, where the installed
version has it. The environment itself is in `pettingzoo`.
"""

from nestline.envs.pettingzoo import env, raw_env, register

ID = "nestline/nestline-v1"

register(ID, "nestline.envs.nestline_v1:env")

__all__ = ["env", "raw_env"]
