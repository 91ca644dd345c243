import copy
import torch

w = torch.ones(2, requires_grad=True)
y = w * 3
z = copy.deepcopy(y)
print(z)
