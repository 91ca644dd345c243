import torch.multiprocessing as mp


def work(rank, factor):
    print(rank * factor)


mp.spawn(work, args=(2,), nprocs=1)
print("finished")
