"""It is the ids that must be integers."""

import torch

torch.nn.Embedding(4, 2).float()(torch.ones(2))
