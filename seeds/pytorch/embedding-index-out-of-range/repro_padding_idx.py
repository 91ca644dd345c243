from torch import nn

print(nn.Embedding(4, 2, padding_idx=4))
