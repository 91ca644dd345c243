"""mode and options exclude each other."""
import torch

layer = torch.compile(torch.nn.Linear(3, 3), mode="reduce-overhead", options={"shape_padding": True})
print("compiled", layer)
