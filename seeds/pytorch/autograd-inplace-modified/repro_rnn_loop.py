import torch
from torch import nn

cell = nn.RNNCell(4, 6)
opt = torch.optim.Adam(cell.parameters(), lr=0.01)
h = torch.zeros(2, 6)
for t in range(3):
    h = cell(torch.randn(2, 4), h)
    loss = h.sum()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
print("done")
