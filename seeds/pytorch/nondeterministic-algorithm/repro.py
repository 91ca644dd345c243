import torch

torch.use_deterministic_algorithms(True)
values = torch.zeros(4)
values.put_(torch.tensor([1, 1]), torch.ones(2))
print(values)
