import torch

mean = torch.ones(4).mean()
total = torch.tensor(mean)
print(total)
