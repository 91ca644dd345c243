import torch
from torch.cuda.amp import GradScaler, autocast

scaler = GradScaler()
with autocast():
    y = torch.ones(2, 2) @ torch.ones(2, 2)
print(scaler.is_enabled(), y.dtype)
