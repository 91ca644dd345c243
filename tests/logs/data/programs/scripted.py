import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.reshape(2, 2)  # HERE
        return y @ y


torch.jit.script(Net())(torch.ones(3))
