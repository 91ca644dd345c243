import torch

print(torch.mv(torch.randn(3, 4), torch.randn(3)))
