import torch

def entropy(p):
    return -(p * p.log()).sum()

torch.autograd.set_detect_anomaly(True)
p = torch.tensor([0.0, 1.0], requires_grad=True)
entropy(p).backward()
