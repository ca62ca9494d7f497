"""Agents judged by the solution."""
