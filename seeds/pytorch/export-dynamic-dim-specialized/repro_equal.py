"""Two dimensions of different names must always be equal."""
import torch


class Add(torch.nn.Module):
    def forward(self, x, y):
        return x + y


rows, columns = torch.export.Dim("rows"), torch.export.Dim("columns")
shapes = {"x": {0: rows}, "y": {0: columns}}
program = torch.export.export(Add(), (torch.ones(4, 2), torch.ones(4, 2)), dynamic_shapes=shapes)
print("exported", type(program).__name__)
