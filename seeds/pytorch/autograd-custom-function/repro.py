import torch

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

x = torch.randn(3, requires_grad=True)
Square.apply(x).sum().backward()
print(x.grad.shape)
