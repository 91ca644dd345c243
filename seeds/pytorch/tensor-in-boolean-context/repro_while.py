import torch

x = torch.ones(2)
while x < 4:
    x = x * 2
print(x)
