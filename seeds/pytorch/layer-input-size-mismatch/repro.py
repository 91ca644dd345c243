import torch
from torch import nn

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(input_size=16, hidden_size=8, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]

print(Tagger()(torch.randn(2, 7, 12)).shape)
