import torch

target = torch.zeros(3, 4)
target[0] = torch.ones(5)
