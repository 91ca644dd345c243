import os

os.environ["NCCL_P2P_DISABLE"] = "1"  # finding: 0
os.environ["NCCL_IB_DISABLE"] = "1"  # finding: 0
import torch

print(torch.__version__)
