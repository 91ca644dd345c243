import os

os.environ["PYTORCH_MPS_HIGH_WATERMARK_RATIO"] = "0.0"  # finding: 0
