import torch

with torch.autocast(device_type="cpu", dtype=torch.float32):
    print((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
