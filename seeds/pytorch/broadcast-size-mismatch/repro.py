import torch

features = torch.randn(4, 6)
shift = torch.randn(5)
print((features + shift).shape)
