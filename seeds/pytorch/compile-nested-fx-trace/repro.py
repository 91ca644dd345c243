"""symbolic_trace on a compiled module."""
import torch
import torch.fx

net = torch.compile(torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU()), backend="eager")
print(torch.fx.symbolic_trace(net).graph)
