"""The constraint comes from the code."""

import torch
from torch.export import Dim, export


class Net(torch.nn.Module):
    def forward(self, x):
        return x.reshape(6, 3)


export(Net(), (torch.ones(6, 3),), dynamic_shapes={"x": {0: Dim("batch")}})
