"""A layer that expects 6 features is fed 8; the compiler finds out on fake tensors."""
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(6, 3)

    def forward(self, x):
        return self.head(x).softmax(-1)


net = torch.compile(Net(), backend="eager")
print(net(torch.randn(2, 8)).shape)
