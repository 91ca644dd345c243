import torch, torch.nn.functional as F
w = torch.randn(16, 8)
F.linear(torch.randn(4, 16), w)
