import os
import transformers
import torch

os.environ["HF_HUB_OFFLINE"] = "1"  # finding: 1
print(transformers.__version__, torch.__version__)
