import torch
from torch.nn import init

weight = torch.empty(2, 2)
init.xavier_uniform(weight)
print(weight.shape)
