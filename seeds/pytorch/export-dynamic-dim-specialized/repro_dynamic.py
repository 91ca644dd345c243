"""Dim.DYNAMIC is a promise, too."""
import torch


class Scale(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 4:
            return x * 2
        return x


shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
program = torch.export.export(Scale(), (torch.ones(4, 2),), dynamic_shapes=shapes)
print("exported", type(program).__name__)
