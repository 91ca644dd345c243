import os

os.environ["RANK"] = 0  # finding: 2
os.environ.setdefault("MASTER_PORT", 29500)  # finding: 2
