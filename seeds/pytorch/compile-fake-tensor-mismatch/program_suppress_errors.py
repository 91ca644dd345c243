"""The frame runs eagerly and fails there."""

import torch
import torch._dynamo

torch._dynamo.config.suppress_errors = True
model = torch.compile(torch.nn.Linear(4, 4), backend="eager")
model(torch.ones(2, 5))
