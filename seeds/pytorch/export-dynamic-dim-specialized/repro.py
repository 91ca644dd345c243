"""The batch is declared dynamic, and the code reshapes with a constant."""
import torch


class Pool(torch.nn.Module):
    def forward(self, x):
        return x.view(4, -1).mean(1)


batch = torch.export.Dim("batch", min=2, max=128)
program = torch.export.export(Pool(), (torch.ones(4, 6),), dynamic_shapes={"x": {0: batch}})
print("exported", type(program).__name__)
