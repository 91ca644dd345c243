import torch

torch._C._accelerator_setAllocatorSettings("max_split_size_mb:8")
print("set")
