import torch
import torch.distributed as dist

BACKEND = "nccl"
dist.init_process_group(BACKEND, store=dist.HashStore(), rank=0, world_size=1)
value = torch.ones(1)
dist.all_reduce(value)
print(value)
dist.destroy_process_group()
