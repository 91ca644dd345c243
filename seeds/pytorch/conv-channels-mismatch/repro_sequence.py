import torch
conv = torch.nn.Conv1d(16, 32, 3)
conv(torch.randn(4, 100, 16))
