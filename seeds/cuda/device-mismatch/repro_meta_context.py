import torch

with torch.device("meta"):
    scale = torch.ones(2)
print(scale + torch.arange(2.0))
