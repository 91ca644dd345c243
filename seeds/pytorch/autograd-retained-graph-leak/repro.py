import torch

weight = torch.nn.Parameter(torch.randn(3))
for step in range(3):
    loss = (weight ** 3).sum()
    loss.backward(create_graph=True)
print(weight.grad.grad_fn is not None)
