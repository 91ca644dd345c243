"""The memory format does not change the shape."""

import torch

image = torch.ones(2, 16, 16, 3).to(memory_format=torch.channels_last)
torch.nn.Conv2d(3, 4, 3)(image)
