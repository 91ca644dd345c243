"""Needs a Python that this torch does not know yet (3.15 or newer for torch 2.13)."""
import torch

model = torch.compile(torch.nn.Linear(2, 2))
print(model(torch.ones(1, 2)))
