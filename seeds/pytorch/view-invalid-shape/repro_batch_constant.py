import torch

batch = torch.randn(3, 2, 5)
print(batch.view(4, -1).shape)
