import torch

a = torch.randn(4, 2)
b = torch.randn(4, 1)
x, _ = torch.lstsq(b, a)
print(x.shape)
