import torch
from torch import nn

model = nn.Linear(4, 1)
batch, target = torch.randn(8, 4), torch.randn(8, 1)
with torch.no_grad():
    prediction = model(batch)
loss = nn.functional.mse_loss(prediction, target)
loss.backward()
print(model.weight.grad.shape)
