import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
torch.save(model, "model.pt")
restored = torch.load("model.pt")
print(restored(torch.ones(1, 2)).shape)
