"""A string argument is guarded by value: every new string compiles again, until the limit of 8."""
import torch


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = torch.nn.Linear(6, 3)

    def forward(self, x, phase):
        out = self.proj(x)
        return out * 2 if phase.endswith("warmup") else out


head = torch.compile(Head(), backend="eager")
for step in range(14):
    head(torch.ones(2, 6), f"step-{step}")
print("finished")
