import torch

a = torch.eye(3).half()
print(torch.linalg.inv(a))
