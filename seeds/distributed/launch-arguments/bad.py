import os
import torch

os.environ["USE_LIBUV"] = "0"  # finding: 1
print(torch.__version__)
