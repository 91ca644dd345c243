import torch

parts = [torch.ones(n) for n in (2, 3)]
batch = torch.stack(parts)
print(batch.shape)
