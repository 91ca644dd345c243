import os

os.environ["USE_LIBUV"] = "0"
import torch

print(torch.__version__)
