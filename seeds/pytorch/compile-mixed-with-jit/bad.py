import torch
from torch import jit

a = torch.compile(torch.jit.script(torch.nn.Linear(2, 2)))  # finding: 1
b = torch.compile(jit.script(torch.nn.Linear(2, 2)), backend="eager")  # finding: 1
