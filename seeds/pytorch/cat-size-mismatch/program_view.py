"""The element counts differ."""

import torch

torch.cat([torch.ones(2, 3), torch.ones(2, 4).view(2, 3)])
