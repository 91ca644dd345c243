import torch

loss = torch.tensor(0.5)
print(loss[0])
