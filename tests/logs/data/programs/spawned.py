import ops
import torch.multiprocessing as mp


def work(rank):
    ops.call(ops.allocate, rank)  # HERE


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
