import torch

torch.autograd.set_detect_anomaly(True)
x = torch.tensor([-1.0, 2.0], requires_grad=True)
y = x ** 0.5
y.sum().backward()
