import torch
m = max(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 0.0]))
