import torch

losses = torch.rand(4)
print("loss", losses.item())
