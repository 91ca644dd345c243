"""One step too many before it raises: the rate jumps up and stays there."""

import sys
import torch

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=3)
for _ in range(6):
    optimizer.step()
    try:
        scheduler.step()
    except ValueError as error:
        print(error)
rate = optimizer.param_groups[0]["lr"]
if rate > 1e-2:
    sys.exit(f"after a last rate of 4e-06 the training goes on with {rate}")
