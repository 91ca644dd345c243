import torch

w = torch.zeros(2, requires_grad=True)
print(torch.dot(w, torch.ones(2, dtype=torch.float64)))
