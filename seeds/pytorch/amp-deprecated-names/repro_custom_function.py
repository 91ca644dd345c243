import torch
from torch.cuda.amp import custom_fwd, custom_bwd
class F(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, x): return x * 1
    @staticmethod
    @custom_bwd
    def backward(ctx, g): return g
F.apply(torch.ones(1, requires_grad=True)).sum().backward()
