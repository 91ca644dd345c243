"""contiguous() leaves x as it is."""

import torch

x = torch.ones(2, 3).T
x.contiguous()
x.view(-1)
