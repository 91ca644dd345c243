import torch

torch.autograd.set_detect_anomaly(True)
a = torch.zeros(2, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
(a / b).sum().backward()
