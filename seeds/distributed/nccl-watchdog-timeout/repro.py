import datetime
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
# needs two GPUs: rank 1 never joins the all_reduce


def work(rank):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29552", rank=rank, world_size=2, timeout=datetime.timedelta(seconds=20))
    if rank == 0:
        dist.all_reduce(torch.ones(1, device="cuda"))
    torch.cuda.synchronize()
    dist.barrier()


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
