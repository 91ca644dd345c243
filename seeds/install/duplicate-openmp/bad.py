import os

os.environ["KMP_DUPLICATE_LIB_OK"] = "TRUE"  # finding: 0
import torch

print(torch.__version__)
