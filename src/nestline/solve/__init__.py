"""Solving small boards completely: the index, the solver on CPU and GPU, and the tables."""
