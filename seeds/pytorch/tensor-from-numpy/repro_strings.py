import torch
torch.tensor(["a", "b"])
