import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = [nn.Linear(4, 4), nn.Linear(4, 2)]

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
print(len(optimizer.param_groups[0]["params"]))
