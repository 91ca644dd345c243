import torch

print(torch.arange(1, 4).multinomial(1), torch.randn(2, 3).half().kthvalue(1))
