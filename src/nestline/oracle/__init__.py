"""Ground truth for learning agents on solved boards: values, regret, and the best response.

    from nestline.oracle import Oracle, random_policy

    oracle = Oracle("gobblers")
    oracle.action_values(owns, opps)       # value and distance of every action, for many positions
    oracle.regret(random_policy)           # value thrown away, over all reachable positions
    oracle.exploit(random_policy)          # what the best response gains

The tablebases behind it are `nestline.tables`.
"""

from nestline.oracle.exploit import Bounds, Exploit
from nestline.oracle.oracle import Oracle
from nestline.oracle.policies import Policy, one_ply_policy, player_policy, random_policy
from nestline.oracle.positions import observe
from nestline.oracle.regret import Regret
from nestline.oracle.values import ILLEGAL, ActionValues

__all__ = [
    "ILLEGAL",
    "ActionValues",
    "Bounds",
    "Exploit",
    "Oracle",
    "Policy",
    "Regret",
    "observe",
    "one_ply_policy",
    "player_policy",
    "random_policy",
]
