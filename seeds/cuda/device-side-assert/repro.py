import torch
# needs a GPU: label 5 with 3 classes
logits, target = torch.randn(2, 3, device="cuda"), torch.tensor([0, 5], device="cuda")
loss = torch.nn.functional.cross_entropy(logits, target)
print(loss.item())
