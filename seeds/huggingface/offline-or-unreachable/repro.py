import os

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import AutoConfig
# needs transformers
AutoConfig.from_pretrained("some-organisation/never-downloaded")
