import torch

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cuda.matmul.fp32_precision = "ieee"
if torch.backends.cuda.matmul.allow_tf32:
    print("TF32")
