"""Retrograde analysis group by group, on the CPU and on a GPU.

A group is all placements with the same numbers of own and opposing pieces of each size.
"""
