import os

local_rank = int(os.environ["LOCAL_RANK"])
print(local_rank)
