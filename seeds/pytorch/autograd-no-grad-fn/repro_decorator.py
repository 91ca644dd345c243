import torch
from torch import nn

@torch.no_grad()
def train_step(model, x):
    loss = model(x).mean()
    loss.backward()

train_step(nn.Linear(2, 1), torch.randn(3, 2))
