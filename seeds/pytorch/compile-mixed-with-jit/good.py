import torch

a = torch.jit.script(torch.nn.Linear(2, 2))
b = torch.compile(torch.nn.Linear(2, 2))
c = torch.compile(torch.nn.Sequential(torch.nn.Linear(2, 2)))
