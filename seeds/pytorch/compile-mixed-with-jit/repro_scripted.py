"""A scripted module has nothing left for Dynamo to compile."""
import torch

scripted = torch.jit.script(torch.nn.Linear(3, 3))
print(torch.compile(scripted, backend="eager")(torch.ones(1, 3)).shape)
