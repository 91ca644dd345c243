import torch

torch.autograd.set_detect_anomaly(True)

def scale(x):
    y = torch.exp(x)
    y += 0.5
    return y

x = torch.randn(4, requires_grad=True)
loss = scale(x).mean()
loss.backward()
