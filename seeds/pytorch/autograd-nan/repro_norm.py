import torch
torch.autograd.set_detect_anomaly(True)
x = torch.zeros(2, 3, requires_grad=True)
d = torch.sqrt((x ** 2).sum(1))
d.sum().backward()
