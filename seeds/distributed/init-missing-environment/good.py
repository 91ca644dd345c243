import os

rank = 0
os.environ["RANK"] = str(rank)
os.environ.setdefault("MASTER_PORT", "29500")
os.environ["WORLD_SIZE"] = f"{1}"
