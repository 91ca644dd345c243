import torch


def make(model):
    return torch.optim.AdamW(model.parameters(), lr="3e-4")  # finding: 2
