import torch

class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor

x = torch.randn(3, requires_grad=True)
Scale.apply(x, 3.0).sum().backward()
print(x.grad)
