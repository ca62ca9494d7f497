"""Agents judged by the tablebase."""
