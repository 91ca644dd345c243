import torch

x = torch.randn(2, 6, 4)
tokens = x.permute(0, 2, 1).view(2, -1)
print(tokens.shape)
