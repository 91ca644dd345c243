import os

os.environ["TORCH_COMPILE_DISABLE"] = "1"  # finding: 0
os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")  # finding: 0
import torch
import torch._dynamo as dynamo

torch._dynamo.config.disable = True  # finding: 0
dynamo.config.disable = True  # finding: 0
