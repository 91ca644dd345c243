import torch

print(torch.frombuffer(b"abcd", dtype=torch.uint8).shape)
