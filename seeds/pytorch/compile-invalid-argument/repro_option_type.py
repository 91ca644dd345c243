"""An option with a value of the wrong type."""
import torch

layer = torch.compile(torch.nn.Linear(3, 3), options={"shape_padding": "on"})
print("compiled", layer)
