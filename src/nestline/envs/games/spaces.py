"""Observation spaces of Gymnasium, which PettingZoo uses too."""

from typing import Any

import numpy as np
from gymnasium import spaces

from nestline.envs.batch.base import BatchBase
from nestline.observations import plane_limits


def observation_box(games: BatchBase) -> Any:
    """The space of what one player sees."""
    limits = np.array(plane_limits(games.rules), np.int8)[:, None, None]
    high = np.broadcast_to(limits, games.observation_shape).copy()
    return spaces.Box(np.zeros_like(high), high, dtype=np.int8)
