import torch
import torch.nn.functional as F

print(F.one_hot(torch.tensor([0, 2], dtype=torch.int32), 3))
