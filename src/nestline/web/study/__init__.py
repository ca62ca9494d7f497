"""Positions and games studied: exact values, engine analysis, reviews."""
