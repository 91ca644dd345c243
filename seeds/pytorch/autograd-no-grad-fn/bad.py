import torch.nn.functional as F


def train_step(model, x, y):
    loss = F.mse_loss(model(x), y)
    loss.requires_grad_(True)  # finding: 0
    loss.backward()
