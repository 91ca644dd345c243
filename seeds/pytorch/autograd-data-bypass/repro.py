import torch

weight = torch.nn.Parameter(torch.zeros(3))
weight.data = torch.zeros(3, dtype=torch.complex64, device="meta")
