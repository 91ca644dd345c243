import torch

print(torch.take(torch.arange(4), torch.tensor([9])), torch.arange(4).index_add_(0, torch.tensor([7]), torch.tensor([1])))
