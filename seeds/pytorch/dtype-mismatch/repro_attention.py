import torch
import torch.nn.functional as F

q = torch.randn(1, 2, 4, 8)
print(F.scaled_dot_product_attention(q, q.double(), q.double()).dtype)
