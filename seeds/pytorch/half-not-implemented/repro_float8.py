import torch

x = torch.ones(2, 2).to(torch.float8_e4m3fn)
print((x + x).dtype)
