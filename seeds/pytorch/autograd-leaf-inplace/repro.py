import torch

bias = torch.zeros(4, requires_grad=True)
bias += 1.0
print(bias.requires_grad)
