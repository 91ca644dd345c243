import os
import torch

torch.cuda.init()
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # finding: 0
print(torch.cuda.device_count())
