"""None fails later, at another line."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(2, 2))
head = getattr(model, "classifier", None)
print(head(torch.ones(1, 2)))
