import torch

losses = [torch.tensor(0.5), torch.tensor(0.25)]
print(torch.cat(losses))
