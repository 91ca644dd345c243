"""The same as a conditional expression."""
import torch

print(torch.vmap(lambda x: x * 2 if x.sum() > 0 else x)(torch.ones(3, 2)))
