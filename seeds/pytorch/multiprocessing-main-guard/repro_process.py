import multiprocessing as mp
import torch
mp.set_start_method("spawn")
def f(q): q.put(torch.ones(1))
q = mp.Queue()
p = mp.Process(target=f, args=(q,))
p.start()
p.join()
