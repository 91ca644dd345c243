import torch.multiprocessing as mp

if __name__ == "__main__":
    mp.set_start_method("forkserver")
    mp.set_start_method("spawn")
    print(mp.get_start_method())
