"""The error does not come from a failing compile."""

import torch
import torch._dynamo
import torch.fx

torch._dynamo.config.suppress_errors = True
torch.fx.symbolic_trace(torch.compile(torch.nn.Linear(2, 2), backend="eager"))
