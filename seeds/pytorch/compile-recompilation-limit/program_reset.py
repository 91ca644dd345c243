"""torch._dynamo.reset() in the loop hides the warning and compiles at every call."""
import torch

compiled = []


def backend(module, inputs):
    compiled.append(module)
    return module.forward


@torch.compile(backend=backend)
def shift(x, label):
    return x + len(label)


for i in range(20):
    torch._dynamo.reset()
    shift(torch.ones(3), "a" * i)
print("calls 20, compiles", len(compiled))
