import torch

scores = torch.tensor([[1, 2, 3]])
print(torch.softmax(scores, dim=1))
