import torch
from torch import nn

torch.jit.script(nn.Linear(2, 2)).save("scripted.pt")
print(torch.load("scripted.pt"))
