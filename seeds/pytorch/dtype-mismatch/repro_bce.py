import torch
torch.nn.BCELoss()(torch.rand(3), torch.tensor([0, 1, 1]))
