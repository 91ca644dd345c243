import torch

class Double(torch.autograd.Function):
    def forward(self, x):
        return x * 2

    def backward(self, grad):
        return grad * 2

x = torch.randn(3, requires_grad=True)
Double()(x).sum().backward()
print(x.grad.shape)
