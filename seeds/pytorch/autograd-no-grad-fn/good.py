import torch
import torch.nn.functional as F


def attack(model, x, y):
    x = x.clone().detach()
    x.requires_grad_(True)
    loss = F.mse_loss(model(x), y)
    loss.backward()
    return x.grad


weight = torch.randn(3).requires_grad_(True)
