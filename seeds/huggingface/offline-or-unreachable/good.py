import os

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = "/shared/hf"
import transformers

print(transformers.__version__)
