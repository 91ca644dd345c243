import os
from transformers import AutoTokenizer
# needs transformers and a cached tokenizer
tokenizer = AutoTokenizer.from_pretrained("gpt2")
tokenizer(["one text", "another text"] * 100)
if os.fork() == 0:
    tokenizer(["in the child"] * 100)
    os._exit(0)
os.wait()
