import torch
from torch import nn

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.position = nn.Embedding(16, 8)

    def forward(self, x):
        return self.position(torch.arange(x.size(1)))

print(Encoder()(torch.zeros(2, 20)).shape)
