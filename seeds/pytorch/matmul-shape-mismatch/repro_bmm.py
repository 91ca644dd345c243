import torch

scores = torch.randn(4, 6, 8)
values = torch.randn(4, 5, 8)
print(torch.bmm(scores, values).shape)
