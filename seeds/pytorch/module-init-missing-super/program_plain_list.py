"""The layers are not registered."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [torch.nn.Linear(2, 2)]


torch.optim.Adam(Net().parameters())
