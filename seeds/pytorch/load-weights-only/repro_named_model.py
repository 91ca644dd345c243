import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)

model = Net()
torch.save(model, "model.pt")
again = torch.load("model.pt")
print(again(torch.ones(1, 2)).shape)
