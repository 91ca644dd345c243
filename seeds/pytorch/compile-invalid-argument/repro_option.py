"""An option that does not exist."""
import torch

layer = torch.compile(torch.nn.Linear(3, 3), options={"epilogue_fusions": True})
print("compiled", layer)
