"""In default mode two graph breaks say nothing and the program ends well."""
import torch

graphs = []


def backend(module, inputs):
    graphs.append(module)
    return module.forward


@torch.compile(backend=backend)
def forward(x):
    x = x * 2
    print("not traceable")
    if x.sum() > 0:
        x = x + 1
    return x * 3


print(forward(torch.ones(3)), "graphs", len(graphs))
