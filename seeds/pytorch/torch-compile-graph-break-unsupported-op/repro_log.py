"""What TORCH_LOGS=graph_breaks prints in default mode."""
import os

os.environ["TORCH_LOGS"] = "graph_breaks"
import torch  # noqa: E402


@torch.compile(backend="eager")
def forward(x):
    y = x * 2
    print("half way")
    return y + 1


print(forward(torch.ones(4)))
