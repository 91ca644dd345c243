import os
import torch

os.environ["HSA_OVERRIDE_GFX_VERSION"] = "10.3.0"  # finding: 1
print(torch.__version__)
