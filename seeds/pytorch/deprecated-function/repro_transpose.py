import torch

batch = torch.zeros(2, 3, 4)
print(batch.T.shape)
