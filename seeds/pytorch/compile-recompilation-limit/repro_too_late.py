"""The limit is raised after it was hit: nothing changes for this frame."""
import torch

compiled = []


def backend(module, inputs):
    compiled.append(module)
    return module.forward


@torch.compile(backend=backend)
def shift(x, label):
    return x + len(label)


for i in range(12):
    shift(torch.ones(3), "a" * i)
before = len(compiled)
torch._dynamo.config.recompile_limit = 200
for i in range(20, 30):
    shift(torch.ones(3), "a" * i)
print("compiles before and after raising the limit:", before, len(compiled))
