"""view() fails before its result exists."""

import torch

torch.ones(2, 3).T.view(-1).contiguous()
