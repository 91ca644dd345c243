import torch

found = torch.zeros(0)
if found:
    print("some")
