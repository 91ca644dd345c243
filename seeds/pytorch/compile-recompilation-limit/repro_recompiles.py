"""What TORCH_LOGS=recompiles prints for each further compile."""
import os

os.environ["TORCH_LOGS"] = "recompiles"
import torch  # noqa: E402


@torch.compile(backend="eager")
def scale(x, factor):
    return x * factor


for rows, factor in ((2, 1), (3, 1), (3, 2), (3, 2.5)):
    scale(torch.ones(rows), factor)
scale(torch.ones(3, 2), 2)
scale(torch.ones(3, dtype=torch.float64), 2)
print("finished")
