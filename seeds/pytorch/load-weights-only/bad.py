import os

import torch

os.environ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"] = "1"  # finding: 1


def restore(path):
    return torch.load(path, map_location="cpu", weights_only=False)  # finding: 0
