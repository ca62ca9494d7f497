"""Rule sets: the rules of a game as data, from the shipped files or from a user's own."""

from nestline.rules.law import Law
from nestline.rules.ruleset import RuleSet, is_design, load_rules, read_rules, rule_set_names

__all__ = ["Law", "RuleSet", "is_design", "load_rules", "read_rules", "rule_set_names"]
