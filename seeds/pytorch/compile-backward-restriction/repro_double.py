"""A gradient penalty needs the backward of a backward."""
import torch


@torch.compile(backend="aot_eager")
def energy(x):
    return (x.sin() * x).sum()


x = torch.randn(4, requires_grad=True)
(grad,) = torch.autograd.grad(energy(x), x, create_graph=True)
grad.pow(2).sum().backward()
print(x.grad)
