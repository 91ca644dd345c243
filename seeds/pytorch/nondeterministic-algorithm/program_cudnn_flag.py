"""The error does not come from cuDNN."""

import torch

torch.use_deterministic_algorithms(True)
torch.backends.cudnn.deterministic = True
torch.zeros(3).put_(torch.tensor([0]), torch.ones(1))
