"""parameters() does not find them."""

import torch


class Net(torch.nn.Module):
    layers = [torch.nn.Linear(2, 2)]


torch.optim.Adam(Net().parameters())
