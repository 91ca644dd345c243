"""Only one element gets a gradient."""

import sys
import torch

x = torch.ones(3, requires_grad=True)
(x * 2)[0].backward()
if (x.grad == 0).any():
    sys.exit(f"samples without a gradient: {x.grad.tolist()}")
