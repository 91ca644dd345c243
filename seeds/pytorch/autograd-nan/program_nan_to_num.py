"""The forward value was never nan; the derivative is."""

import torch

torch.autograd.set_detect_anomaly(True)
x = torch.zeros(2, requires_grad=True)
torch.nan_to_num((torch.sqrt(x) * 0).sum()).backward()
