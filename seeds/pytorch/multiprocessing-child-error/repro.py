import torch
import torch.multiprocessing as mp


def work(rank):
    if rank == 1:
        raise ValueError("no data for this rank")
    print(torch.ones(1) * rank)


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
