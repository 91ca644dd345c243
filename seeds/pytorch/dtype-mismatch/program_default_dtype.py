"""Weights from a checkpoint keep their dtype."""

import torch

torch.save(torch.nn.Linear(2, 2), "model.pt")
torch.set_default_dtype(torch.float64)
model = torch.load("model.pt", weights_only=False)
model(torch.ones(1, 2))
