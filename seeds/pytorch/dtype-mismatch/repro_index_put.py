import torch

out = torch.zeros(4)
out[torch.tensor([0, 1])] = torch.ones(2, dtype=torch.float64)
print(out)
