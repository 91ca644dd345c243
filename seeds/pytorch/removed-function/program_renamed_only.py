"""The arguments are reversed: the shapes do not fit."""

import torch

b, a = torch.ones(3, 1), torch.eye(3)
torch.linalg.solve(b, a)
