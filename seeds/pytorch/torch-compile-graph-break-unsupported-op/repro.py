"""A Python branch on a tensor's value cannot be traced; fullgraph=True makes the break an error."""
import torch


class Gate(torch.nn.Module):
    def forward(self, x):
        if x.mean() > 0:
            return x * 2
        return x / 2


gate = torch.compile(Gate(), backend="eager", fullgraph=True)
print(gate(torch.ones(4)))
