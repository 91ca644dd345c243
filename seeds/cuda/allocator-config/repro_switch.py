import torch

torch._C._accelerator_setAllocatorSettings("expandable_segments:yes")
print("set")
