import torch

batch = torch.randn(2, 3)
print(batch["labels"])
