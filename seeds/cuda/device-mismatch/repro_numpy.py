import torch

values = torch.ones(3, device="meta")
print(values.numpy())
