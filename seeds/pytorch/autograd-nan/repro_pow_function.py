import torch

torch.autograd.set_detect_anomaly(True)
x = torch.zeros(2, requires_grad=True)
(torch.pow(x, 0.5) * 0).sum().backward()
