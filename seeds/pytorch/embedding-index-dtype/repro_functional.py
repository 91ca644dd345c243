import torch
import torch.nn.functional as F

table = torch.randn(5, 2)
print(F.embedding(torch.zeros(3, dtype=torch.int16), table).shape)
