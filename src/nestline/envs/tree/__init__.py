"""Tree search in the games of a batch, on the CPU (`search`) and on an NVIDIA GPU (`cuda`)."""
