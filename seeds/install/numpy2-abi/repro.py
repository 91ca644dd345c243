import sys

sys.modules["numpy"] = None  # as in an environment without NumPy
import torch

print(torch.ones(3).numpy())
