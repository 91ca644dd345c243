import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128,expandable_segments:True"
os.environ.setdefault("PYTORCH_ALLOC_CONF", "garbage_collection_threshold:0.8")
import torch

print(torch.__version__)
