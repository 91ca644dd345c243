import torch

weight = torch.nn.Parameter(torch.randn(3))
total = torch.zeros(())
for step in range(5):
    total = total + weight.tanh().sum()
    total.backward(retain_graph=True)
print("gradient after 5 steps, in units of one step:", round(float(weight.grad.sum() / (1 - weight.tanh() ** 2).sum()), 1))
