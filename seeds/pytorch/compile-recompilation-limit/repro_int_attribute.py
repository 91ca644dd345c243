"""A counter kept in an integer attribute of a module is a guard by value."""
import torch


class Counted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.proj = torch.nn.Linear(4, 4)

    def forward(self, x):
        self.calls += 1
        return self.proj(x) / self.calls


model = torch.compile(Counted(), backend="eager")
for _ in range(14):
    model(torch.ones(2, 4))
print("finished")
