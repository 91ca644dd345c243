import torch

batch = torch.stack([torch.eye(2), torch.zeros(2, 2)])
print(torch.inverse(batch))
