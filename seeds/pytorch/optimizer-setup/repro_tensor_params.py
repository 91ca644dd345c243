import torch

w = torch.randn(3, requires_grad=True)
torch.optim.SGD(w, lr=0.1)
