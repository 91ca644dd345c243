import torch.distributed as dist

world = dist.get_world_size()
print("world", world)
