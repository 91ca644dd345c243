"""The scaler refuses gradients in float16."""

import torch

model = torch.nn.Linear(2, 2).half()
scaler = torch.amp.GradScaler("cpu")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for p in model.parameters():
    p.grad = torch.ones_like(p)
scaler.scale(torch.ones(1))
scaler.step(optimizer)
