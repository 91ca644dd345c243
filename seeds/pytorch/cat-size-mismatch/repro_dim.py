import torch

images = torch.randn(4, 3, 8, 8)
extra = torch.randn(4, 3, 6, 6)
print(torch.cat((images, extra), dim=1).shape)
