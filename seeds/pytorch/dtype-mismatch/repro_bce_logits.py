import torch
torch.nn.functional.binary_cross_entropy_with_logits(torch.randn(3), torch.tensor([0, 1, 1]))
