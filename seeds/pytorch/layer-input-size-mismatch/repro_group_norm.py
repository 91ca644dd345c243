from torch import nn

print(nn.GroupNorm(4, 10))
