"""Without running statistics the error comes in eval mode too."""

import torch

norm = torch.nn.BatchNorm1d(4, track_running_stats=False).eval()
norm(torch.ones(1, 4))
