import copy
import torch
from torch import nn

model = nn.Sequential()
for _ in range(2000):
    model = nn.Sequential(model)
print(len(str(copy.deepcopy(model))))
