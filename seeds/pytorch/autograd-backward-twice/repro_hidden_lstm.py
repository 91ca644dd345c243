import torch
from torch import nn

lstm = nn.LSTM(4, 6, batch_first=True)
head = nn.Linear(6, 1)
hidden = None
for step in range(3):
    output, hidden = lstm(torch.randn(2, 5, 4), hidden)
    loss = head(output[:, -1]).pow(2).mean()
    loss.backward()
print("steps", step + 1)
