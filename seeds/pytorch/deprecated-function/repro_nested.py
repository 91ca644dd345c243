import torch

parts = [torch.ones(1), torch.ones(4)]
ragged = torch.nested.nested_tensor(parts)
print(ragged.is_nested)
