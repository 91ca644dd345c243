import os

os.environ["PYTORCH_MPS_HIGH_WATERMARK_RATIO"] = "1.2"
