import torch

a, b = torch.tensor([1, 2]), torch.tensor([1, 2])
assert a == b
print("same")
