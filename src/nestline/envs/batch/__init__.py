"""Many games at once, on the CPU (`cpu`) and on an NVIDIA GPU (`cuda`)."""

from nestline.envs.batch.cpu import Batch as Batch
