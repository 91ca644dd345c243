"""Moving to the CPU is recorded too."""

import torch

(torch.ones(2, requires_grad=True) * 2).cpu().numpy()
