import torch
torch.nn.BatchNorm1d(8)(torch.randn(2, 8, 4, 4))
