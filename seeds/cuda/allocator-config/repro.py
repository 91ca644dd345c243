import torch

set_settings = torch._C._accelerator_setAllocatorSettings
set_settings("expandable_segments=False")
print("set")
