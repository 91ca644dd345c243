import torch

with torch.amp.autocast(device_type="cuda", dtype=torch.float16):
    print((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
