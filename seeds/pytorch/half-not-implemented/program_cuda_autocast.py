"""autocast for CUDA does not touch CPU tensors."""

import torch

with torch.autocast("cuda"):
    torch.linalg.inv(torch.eye(2).half())
