import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # finding: 2
import torch

print(torch.__version__)
