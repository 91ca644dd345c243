"""@torch.jit.script on a method fails when the class is defined: the script compiler does not know self."""
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    @torch.jit.script
    def forward(self, x):
        return self.fc(x)


print(torch.compile(Net(), backend="eager")(torch.ones(2, 4)))
