import torch
import torch.distributed as dist

dist.init_process_group(backend="gloo")
total = torch.ones(2)
dist.all_reduce(total)
print(total)
dist.destroy_process_group()
