import torch

images = torch.randn(6, 3, 4, 4)
flat = images.view(-1, 64)
print(flat.shape)
