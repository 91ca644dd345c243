import torch

print(torch.randn(3, 2).index_select(0, torch.tensor([0.0, 2.0])))
