import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
model[0].requires_grad_(False)
sharded = FSDP(model, device_id=torch.device("cpu"))
print("wrapped")
dist.destroy_process_group()
