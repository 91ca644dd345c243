import os

os.environ["TOKENIZERS_PARALLELISM"] = "true"  # finding: 0
import torch

print(torch.__version__)
