import os
import torch.multiprocessing as mp


def work(rank):
    os._exit(3)


if __name__ == "__main__":
    mp.spawn(work, nprocs=1)
