"""Without the guard processes are still started while the module is imported."""

import multiprocessing
import torch.multiprocessing as mp


def work():
    print("work")


multiprocessing.freeze_support()
process = mp.get_context("spawn").Process(target=work)
process.start()
process.join()
