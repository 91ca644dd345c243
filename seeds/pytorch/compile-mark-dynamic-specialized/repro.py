"""mark_dynamic on a size that the code compares with a number."""
import torch


@torch.compile(backend="eager")
def scale(x):
    return x * 2 if x.shape[0] == 6 else x


batch = torch.ones(6, 2)
torch._dynamo.mark_dynamic(batch, 0)
print(scale(batch).shape)
