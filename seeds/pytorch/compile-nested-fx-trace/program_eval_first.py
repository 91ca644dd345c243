"""The wrapper stays in any mode."""

import torch
import torch.fx

torch.fx.symbolic_trace(torch.compile(torch.nn.Linear(2, 2), backend="eager").eval().to("cpu"))
