import os
import torch

torch.cuda.init()
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # finding: 1
