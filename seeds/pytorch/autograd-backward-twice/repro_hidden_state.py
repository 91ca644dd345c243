import torch
from torch import nn

cell = nn.GRUCell(4, 6)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
state = torch.zeros(2, 6)
for step in range(3):
    state = cell(torch.randn(2, 4), state)
    loss = state.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("steps", step + 1)
