import torch
# needs a GPU: one allocation larger than any card
keep = torch.empty(2**40, dtype=torch.uint8, device="cuda")
print(keep.shape)
