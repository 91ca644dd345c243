import torch
import torch.nn.functional as F

x = torch.randn(4, requires_grad=True)
y = x.exp()
z = F.dropout(y, 0.5, True, True)
z.sum().backward()
print(x.grad.shape)
