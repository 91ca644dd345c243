import torch

torch._C._accelerator_setAllocatorSettings("garbage_collection_threshold:1.5")
print("set")
