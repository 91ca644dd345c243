"""torch.export meets an if on a tensor's value."""
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.mean() > 0:
            return x.relu()
        return -x


program = torch.export.export(Net(), (torch.ones(4),))
print(program.graph)
