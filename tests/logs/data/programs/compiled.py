import torch


def f(x):
    y = x.sin()
    return y + y.sum().item() * torch.tensor(str(y.sum()) == "3")  # HERE


torch.compile(f, backend="eager", fullgraph=True)(torch.ones(3))
