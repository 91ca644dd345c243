import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=256"  # finding: 1
os.environ.setdefault("PYTORCH_ALLOC_CONF", "max_split_size_mb:16")  # finding: 2
import torch

torch.cuda.init()
os.environ["PYTORCH_HIP_ALLOC_CONF"] = "expandable_segments:True"  # finding: 0
