import torch
import torch.distributed as dist
import torch.multiprocessing as mp
# needs one GPU: two ranks on the same card


def work(rank):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29551", rank=rank, world_size=2)
    torch.cuda.set_device(0)
    dist.all_reduce(torch.ones(1, device="cuda"))


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
